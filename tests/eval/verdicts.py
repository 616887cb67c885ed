#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""verdicts.py READ_MAILS RULES CORPUS [--cross]: figures, one a line, and a confusion table.

A verdict counts as right when either of two readers gave it.  Recall of a verdict is taken
over the mails where both made it the primary one.
"""
import collections
import email
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import train_verdicts

HARD = ['ack', 'question', 'expected', 'ignored', 'invalid', 'not-reproducible', 'patch',
        'fixed', 'dropped', 'duplicate', 'disputed', 'test-result']
SOFT = {'analysis', 'info', 'thanks', 'none'}
CLOSING = train_verdicts.CLOSING
FOLDS = 5


def run(read_mails, rules, paths):
    """{path: [record of each message]}"""
    out = subprocess.run([read_mails, rules] + paths, capture_output=True, check=True).stdout
    found = collections.defaultdict(list)
    for line in out.decode('utf-8', 'replace').splitlines():
        record = json.loads(line)
        found[record['file']].append(record)
    return found


def threads(rows):
    """{path: a name of its thread}: mails with a common id or a common commit."""
    parent = {}

    def find(x):
        parent.setdefault(x, x)
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for row in rows:
        with open(row['path'], 'rb') as f:
            mail = email.message_from_bytes(f.read())
        names = ' '.join(str(mail.get(h) or '') for h in
                         ('References', 'In-Reply-To', 'Message-ID')).split()
        names += re.findall(r'\b[0-9a-f]{10,}\b', str(mail.get('Subject') or ''))
        for name in names:
            parent[find(name)] = find(row['path'])
    return {row['path']: find(row['path']) for row in rows}


def fold_of_threads(rows):
    """{path: 0 to 4}, whole threads together, of about one size."""
    thread = threads(rows)
    sizes = collections.Counter(thread.values())
    load = [0] * FOLDS
    fold = {}
    for name, size in sorted(sizes.items(), key=lambda x: (-x[1], x[0])):
        fold[name] = load.index(min(load))
        load[fold[name]] += size
    return {path: fold[name] for path, name in thread.items()}


def cross(read_mails, rules, rows):
    """The records of every mail under weights of the other threads."""
    features = train_verdicts.features(read_mails, rules, rows)
    fold = fold_of_threads(rows)
    found = {}
    for k in range(FOLDS):
        with tempfile.TemporaryDirectory() as directory:
            shutil.copytree(rules, directory, dirs_exist_ok=True)
            others = [row for row in rows if fold[row['path']] != k]
            with open(os.path.join(directory, 'weights.list'), 'w', encoding='utf-8') as f:
                train_verdicts.write(train_verdicts.train(others, features, rules), f)
            found.update(run(read_mails, directory,
                             [row['path'] for row in rows if fold[row['path']] == k]))
    return found


def ratio(a, b):
    return a / b if b else 0.0


def accepted(row):
    return {row['primary'], row['secondary'], *row['other_reader'].split('+')} - {'-', ''}


def both_say(row):
    return row['primary'] in row['other_reader'].split('+')


def score_verdicts(rows, given):
    c = collections.Counter()
    for row in rows:
        right, got, primary = accepted(row), given[row['path']], row['primary']
        first = got[0] in right or (got[0] in SOFT and bool(right & SOFT))
        c['first'] += first
        c['strict'] += got[0] == primary
        c['any'] += first or bool(right & set(got))
        for k in CLOSING & set(got):
            c['closing given'] += 1
            c['closing right'] += k in right
        if primary in CLOSING and both_say(row):
            c['closing wanted'] += 1
            c['closing found'] += primary in got
        for k in HARD:
            c['given', k] += k in got
            c['right', k] += k in got and k in right
            c['wanted', k] += k == primary and both_say(row)
            c['found', k] += k == primary and both_say(row) and k in got
    return c


def print_verdicts(rows, given):
    c = score_verdicts(rows, given)
    f1 = []
    for k in HARD:
        if not c['wanted', k]:
            continue
        p, r = ratio(c['right', k], c['given', k]), ratio(c['found', k], c['wanted', k])
        f1.append(ratio(2 * p * r, p + r))
        print('verdict %s: precision %.3f of %d, recall %.3f of %d' %
              (k, p, c['given', k], r, c['wanted', k]))
    n = len(rows)
    print('mails: %d' % n)
    print('verdicts macro-F1: %.3f' % ratio(sum(f1), len(f1)))
    print('verdicts first right: %.3f' % ratio(c['first'], n))
    print('verdicts first is the primary one: %.3f' % ratio(c['strict'], n))
    print('verdicts any right: %.3f' % ratio(c['any'], n))
    print('verdicts closing precision: %.3f of %d' %
          (ratio(c['closing right'], c['closing given']), c['closing given']))
    print('verdicts closing recall: %.3f of %d' %
          (ratio(c['closing found'], c['closing wanted']), c['closing wanted']))


def print_outcomes(rows, found):
    c = collections.Counter()
    for row in rows:
        if row['outcome'] in ('-', '') or row['path'] not in found:
            continue
        for v in found[row['path']][0]['verdicts']:
            if v['verdict'] == 'test-result':
                c['n'] += 1
                c['right'] += v['outcome'] == row['outcome']
    print('outcome of test results right: %.3f of %d' % (ratio(c['right'], c['n']), c['n']))


def flat(text):
    return ' '.join(re.sub(r'[>*_"\'\s]+', ' ', text).lower().split())


def print_evidence(rows, found):
    """Of the mails whose first verdict is right: do the words overlap the labelled ones?"""
    c = collections.Counter()
    for row in rows:
        records = found.get(row['path'])
        if not records or row['evidence'] in ('-', ''):
            continue
        verdicts = records[0]['verdicts']
        text = records[0]['text'].encode('utf-8')
        for v in verdicts:
            c['spans'] += 1
            e = v['evidence'].encode('utf-8')
            c['exact'] += text[v['offset']:v['offset'] + len(e)] == e
        if verdicts and verdicts[0]['verdict'] in accepted(row):
            a, b = flat(verdicts[0]['evidence']), flat(row['evidence'])
            words = set(b.split())
            shared = ratio(len(words & set(a.split())), len(words))
            c['n'] += 1
            c['overlap'] += a in b or b in a or shared >= 0.5
    print('evidence overlaps the labelled words: %.3f of %d' % (ratio(c['overlap'], c['n']), c['n']))
    print('evidence stands where its offset says: %d of %d' % (c['exact'], c['spans']))


def objects(text):
    return {re.sub(r'\W+', '', x).lower() for x in text.split(',')} - {''}


def print_mechanisms(rows, found):
    c = collections.Counter()
    for row in rows:
        records = found.get(row['path'])
        got = records[0]['mechanisms'] if records else []
        kinds = set(row['mechanism_kinds'].split(',')) - {'-', ''}
        given = {m['kind'] for m in got}
        c['wanted'] += len(kinds)
        c['found'] += len(kinds & given)
        c['given'] += len(given)
        c['right'] += len(kinds & given)
        names = objects(row['mechanism_objects'])
        said = {x for m in got for x in objects(m['object'] or '')}
        if names and kinds & given:
            c['mails with objects'] += 1
            c['object named'] += any(x in y or y in x for x in names for y in said)
    print('mechanism kinds recall: %.3f of %d' % (ratio(c['found'], c['wanted']), c['wanted']))
    print('mechanism kinds precision: %.3f of %d' % (ratio(c['right'], c['given']), c['given']))
    print('mechanism objects named: %.3f of %d' %
          (ratio(c['object named'], c['mails with objects']), c['mails with objects']))


def print_commands(read_mails, rules, corpus):
    """Live lines are those that begin with the prefix in the first column."""
    c = collections.Counter()
    paths = sorted(glob.glob(os.path.join(corpus, 'commands', '*.mbox')))
    if not paths:
        return
    for records in run(read_mails, rules, paths).values():
        for record in records:
            lines = record['text'].split('\n')
            live = {i + 1 for i, line in enumerate(lines)
                    if re.match('(\ufeff|\u00a0)*#regzbot(?![#\\w])', line, re.I)}
            got = {x['line'] for x in record['commands'] if x['line'] > 0}
            c['live'] += len(live)
            c['parsed'] += len(live & got)
            c['quoted'] += sum(1 for line in lines if re.match(r'\s*>.*#regzbot', line, re.I))
            c['executed'] += len(got - live)
            c['unknown'] += sum(1 for x in record['commands'] if x['problem'])
    print('commands live lines parsed: %d of %d' % (c['parsed'], c['live']))
    print('commands quoted lines executed: %d of %d' % (c['executed'], c['quoted']))
    print('commands with a problem for the operator: %d' % c['unknown'])


def print_confusion(rows, given):
    """Rows: the primary verdict of the first reader; columns: what came first here."""
    table = collections.Counter((row['primary'], given[row['path']][0]) for row in rows)
    names = train_verdicts.VERDICTS
    print('\n%-17s' % 'labelled / given' + ''.join('%5s' % n[:4] for n in names))
    for a in names:
        print('%-17s' % a + ''.join('%5s' % (table[a, b] or '.') for b in names))


def main():
    if len(sys.argv) < 4 or sys.argv[4:] not in ([], ['--cross']):
        sys.exit('usage: verdicts.py READ_MAILS RULES CORPUS [--cross]')
    read_mails, rules, corpus = sys.argv[1:4]
    rows = train_verdicts.labels(corpus)
    if sys.argv[4:]:
        found = cross(read_mails, rules, rows)
    else:
        found = run(read_mails, rules, [row['path'] for row in rows])
    given = {row['path']: [v['verdict'] for r in found.get(row['path'], [])[:1]
                           for v in r['verdicts']] or ['none'] for row in rows}
    print_verdicts(rows, given)
    print_outcomes(rows, found)
    print_evidence(rows, found)
    print_mechanisms(rows, found)
    print_commands(read_mails, rules, corpus)
    print_confusion(rows, given)


if __name__ == '__main__':
    main()
