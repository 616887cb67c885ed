# SPDX-License-Identifier: GPL-2.0-or-later
"""What a robot report says, read from the description of its format alone.

A second reading beside the program's: lines and regular expressions over mail that
Python's own library decoded.  It knows mails with their lines as they were written, not
what archives collapsed.
"""
import email
import re

NUMBER = r'[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?'
SIGN = r'(?:\u00b1|\u0105|\u00c2\u00b1|\ufffd|A\+-|\+/?-|~)'
DEVIATION = rf'(?:\s*{SIGN}\s*(?P<%s>-?\d+)%%)?'
NAME = r'(?P<metric>[A-Za-z_][^\s"]*\.[^\s"]+)'
REMARK = r'(?:\s+[<(#\[].*)?'
HEADLINE = re.compile(
    r'noticed\s+an?\s+(?P<change>[-+]?[\d.]+)%\s+(?P<kind>regression|improvement)\s+of\s+'
    r'(?P<metric>\S+?)\s+(?:due\s+to\s+commit|on):')
LABELS = {
    'testcase': r'(?:in )?testcase: (.*)',
    'config': r'config: (.*)',
    'compiler': r'compiler: (.*)',
    'machine': r'(?:on )?test machine: (.*)',
    'base': r'base: (.*)',
    'patch_link': r'patch link: (.*)',
    'patch_subject': r'patch subject: (.*)',
}


def decode(payload, charset):
    for name in ('utf-8', charset or 'latin-1', 'cp1252', 'latin-1'):
        try:
            return payload.decode(name)
        except (LookupError, UnicodeDecodeError):
            pass
    return payload.decode('latin-1')


def text_of(path):
    """The first readable part of a mail, and its header."""
    with open(path, 'rb') as file:
        message = email.message_from_bytes(file.read())
    for part in message.walk():
        if part.get_content_type() == 'text/plain' and not part.get_filename():
            text = decode(part.get_payload(decode=True) or b'', part.get_content_charset())
            return text.replace('\r\n', '\n'), message
    return '', message


def unquoted(line):
    """The line without quote marks, and how many there were."""
    marks = re.match(r'(?: ?>)*', line).group(0)
    return line[len(marks):].rstrip(), marks.count('>')


def number(text):
    return None if text is None else float(text)


def row_of(line, columns):
    """One row of the %stddev table: metric and per column (mean, deviation, change)."""
    first = rf'^\s*(?P<v0>{NUMBER})?' + DEVIATION % 'd0'
    change = r'\s*(?P<c%d>[-+](?:\d[\d.]*(?:e[-+]?\d+)?|Inf)%%?)'
    value = rf'\s+(?P<v%d>{NUMBER})?' + DEVIATION.replace('%s', 'd%d')
    pattern = first
    for i in range(1, columns):
        pattern += (change % i) + (value % (i, i)).replace('%%', '%')
    pattern += r'\s*(?:TOTAL )?\s*' + NAME + REMARK + '$'
    match = re.match(pattern.replace('%%', '%'), line)
    if not match:
        return None
    cells = [(number(match['v0']), number(match['d0']), None)]
    for i in range(1, columns):
        cells.append((number(match[f'v{i}']), number(match[f'd{i}']), match[f'c{i}']))
    if all(cell[0] is None and cell[1] is None for cell in cells):
        return None
    return match['metric'], cells


def old_row_of(line):
    """A row of the layout that prints no plus sign and leaves small changes blank."""
    match = re.match(
        rf'^\s*(?P<v0>{NUMBER})' + DEVIATION % 'd0' +
        rf'(?:\s+(?P<c>-?\d[\d.]*%|-?\de[-+]\d+))?\s+(?P<v1>{NUMBER})' + DEVIATION % 'd1' +
        r'\s+' + NAME + REMARK + '$', line)
    if not match:
        return None
    return match['metric'], [(number(match['v0']), number(match['d0']), None),
                             (number(match['v1']), number(match['d1']), match['c'])]


def signs_restored(line):
    """A row whose plus-minus signs a 7-bit client dropped."""
    return re.sub(r'(?<=\d)\s+(\d+)%(?=\s+[-+\d]|\s+[a-z])', ' \u00b1 \\1%', line)


def fail_row_of(line):
    match = re.match(r'^\s*((?:\d*:\d+\s+(?:-?\d+%\s+)?)+)([A-Za-z_][^\s]*\.[^\s]+)' + REMARK + '$',
                     line)
    if not match:
        return None
    cells = [(int(fails or 0), int(runs))
             for fails, runs in re.findall(r'(\d*):(\d+)', match[1])]
    return (match[2], cells) if len(cells) > 1 else None


def tables_of(text):
    """All rows, all fail rows, in order."""
    rows, fails = [], []
    columns, plain = 2, False
    lines = [unquoted(line)[0] for line in text.replace('\u00a0', ' ').split('\n')]
    for i, line in enumerate(lines):
        if re.match(r'^\s*[\d.:]', line) and i + 1 < len(lines) and \
                re.fullmatch(r'\s*' + NAME, lines[i + 1]) and '%' in line:
            line += '  ' + lines[i + 1]  # a mail program broke the row
        dashes = line.split()
        if len(dashes) > 1 and all(re.fullmatch('-{8,}', word) for word in dashes):
            columns, plain = len(dashes), False
        elif re.search(r'%stddev\s+change\s', line):
            plain = True
        fail = fail_row_of(line)
        if fail:
            fails.append(fail)
            continue
        row = (plain and old_row_of(line)) or row_of(line, columns) or row_of(line, 2) \
            or row_of(line, 3) or row_of(line, 4) or row_of(signs_restored(line), 2)
        if row:
            rows.append(row)
    return rows, fails


def joined(lines, i, depth):
    """Line i and those below it at the same depth, up to an empty one, as one."""
    out = []
    for line, d in lines[i:i + 5]:
        if not line.strip() or d != depth:
            break
        out.append(line.strip())
    return ' '.join(out)


def report_of(text):
    """The facts of the first report in a text, own or quoted; None if there is none."""
    lines = [unquoted(line) for line in text.split('\n')]
    for i, (line, depth) in enumerate(lines):
        match = HEADLINE.search(joined(lines, i, depth)) if 'noticed' in line else None
        if match:
            facts = facts_below(lines, i, depth, match)
            if 'commit' in facts or depth:
                return facts  # without its commit, it is somebody's account of a report
    return None


def broken_off(lines, i, depth):
    """What a mail program broke off a line when it quoted it: the line after it, when that
    is no line of its own."""
    line, d = lines[i] if i < len(lines) else ('', depth)
    text = line.strip()
    if not depth or d != depth or not text or re.match(r'with following|[\w -]+:( |$)', text):
        return ''
    return ' ' + text


def facts_below(lines, start, depth, match):
    facts = {'metric': match['metric'], 'change': abs(float(match['change'])),
             'kind': match['kind'], 'parameters': {}, 'still_failing': [], 'quoted': depth > 0}
    block = None
    for i in range(start, min(len(lines), start + 400)):
        line, d = lines[i]
        text = line.strip()
        if text.startswith(('Details are as below', '=====', 'Disclaimer:')):
            break
        if d != depth and text:
            continue
        if not text:
            block = None if block and block != 'new' else block
            continue
        commit = re.match(r'commit: ([0-9a-f]{7,40})\b', text)
        if commit and 'commit' not in facts:
            facts['commit'] = commit[1]
            subject = re.search(r'\("(.*?)"\)(?: \S+://|$| url:| patch )',
                                joined(lines, i, depth))
            if subject:
                facts['commit_subject'] = subject[1]
            continue
        if re.match(r'(with following )?parameters:$', text):
            block = 'new'
            continue
        if block and not text.startswith('test-'):
            pair = re.match(r'([\w.+-]+):(?: (.*)|$)', text)
            if pair:
                facts['parameters'][pair[1]] = (pair[2] or '').strip()
                block = 'open'
                continue
        block = None
        still = re.match(r'\[(?:test failed|still \w+) on\s+(\S+)\s+([0-9a-f]{40})', text)
        if still:
            facts['still_failing'].append((still[1], still[2]))
        tree = re.match(r'(?:https?|git)://(\S+) (\S+)$', text)
        if tree and 'branch' not in facts and 'base' not in facts and 'commit' in facts:
            facts['branch'] = tree[2]
        closes = re.match(r'\| (?:Closes|Link): https?://\S+/(\S+@\S+?)/?$', text)
        if closes:
            facts.setdefault('closes', closes[1])
        for name, pattern in LABELS.items():
            found = re.match(pattern, text)
            if found and name not in facts:
                facts[name] = found[1].strip()
                if name == 'machine':
                    facts[name] += broken_off(lines, i + 1, depth)
    return facts
