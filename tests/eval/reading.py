#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""reading.py REGTRAIL CORPUS: `regtrail parse` over real mails, figures as `name value`.

Which mails are reports, and their testcase, metric and change, come from the corpus'
index; everything else from expect.py.  With --wrong each disagreement is a line on
standard error.
"""
import collections
import csv
import json
import os
import re
import subprocess
import sys
import time

import expect

TEXTS = ('commit', 'commit_subject', 'branch', 'base', 'patch_link', 'patch_subject',
         'config', 'compiler', 'machine', 'closes')


class Score:
    def __init__(self, verbose):
        self.count = collections.Counter()
        self.verbose = verbose

    def field(self, name, where, want, got):
        """One expected value: right, missing, or wrong."""
        kind = 'right' if got == want else 'missing' if got in (None, [], {}) else 'wrong'
        self.count[f'{name}_{kind}'] += 1
        if kind != 'right':
            self.complain(f'{where}: {name}: want {want!r}, got {got!r}')

    def complain(self, text):
        if self.verbose:
            print(text, file=sys.stderr)


def parse(exe, path):
    """Every message that the program sees in a file; None when it fell over."""
    try:
        run = subprocess.run([exe, 'parse', path], capture_output=True, timeout=60,
                             check=False)
        lines = run.stdout.decode('utf-8').splitlines()
        return None if run.returncode < 0 else [json.loads(line) for line in lines if line]
    except (subprocess.TimeoutExpired, ValueError):
        return None


def files_below(folder):
    for root, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(('.txt', '.eml', '.mbox')):
                yield os.path.join(root, name)


def score_fields(score, where, want, report):
    for name in TEXTS:
        if name in want:
            score.field(name, where, want[name], report.get(name))
    if want['parameters']:
        score.field('parameters', where, want['parameters'], report['parameters'])
    if want['still_failing']:
        got = [(pair['tree'], pair['commit']) for pair in report['still_failing']]
        score.field('still_failing', where, want['still_failing'], got)


def score_index(score, where, row, report):
    """Against what the index says: testcase, metric, change."""
    for name in ('testcase', 'metric'):
        if row[name]:
            score.field(name, where, row[name], report[name])
    change = re.match(r'([-+]?[\d.]+)%\s*(\w+)', row['change'] or '')
    if change:
        got = report['change_percent']
        score.field('change', where, (abs(float(change[1])), change[2]),
                    None if got is None else (round(abs(got), 1), report['kind']))
    if row['generation'] not in ('', '?'):
        score.field('generation', where, row['generation'], report['generation'])


def cells_right(want, got):
    right = 0
    for cell, (mean, deviation, change) in zip(got, want):
        right += (cell['mean'], cell['stddev_percent'], cell['change_text']) == \
            (mean, deviation, change)
    return right


def score_tables(score, where, text, message):
    rows, fails = expect.tables_of(text)
    got_rows = [row for table in message['tables'] for row in table['rows']]
    got_fails = [row for table in message['tables'] for row in table['fail_rows']]
    count = score.count
    count['rows_expected'] += len(rows) + len(fails)
    count['rows_read'] += len(got_rows) + len(got_fails)
    if (len(rows), len(fails)) != (len(got_rows), len(got_fails)):
        score.complain(f'{where}: rows: want {len(rows)}+{len(fails)}, '
                       f'got {len(got_rows)}+{len(got_fails)}')
    pool = collections.defaultdict(list)
    for row in got_rows:
        pool[row['metric']].append(row)
    for metric, cells in rows:
        count['cells_expected'] += len(cells)
        same = pool[metric].pop(0) if pool[metric] else None
        right = cells_right(cells, same['cells']) if same else 0
        count['cells_right'] += right
        count['rows_right'] += right == len(cells)
        if right != len(cells):
            score.complain(f'{where}: row {metric}: want {cells}, got {same}')
    fail_pool = collections.Counter(
        (row['metric'], tuple((cell['fails'], cell['runs']) for cell in row['cells']))
        for row in got_fails)
    for metric, cells in fails:
        count['cells_expected'] += len(cells)
        found = fail_pool[(metric, tuple(cells))] > 0
        fail_pool[(metric, tuple(cells))] -= 1
        count['cells_right'] += len(cells) * found
        count['rows_right'] += found


def read_mail(score, exe, path, where, row):
    """One file of the index, or (row None) one that is no report."""
    messages = parse(exe, path)
    if messages is None:
        score.count['broken'] += 1
        score.complain(f'{where}: broken')
        return
    is_report = row is not None and row['kind'] == 'report'
    first = messages[0] if messages else None
    if not is_report:
        false = sum(1 for message in messages if message['report'])
        score.count['reports_false'] += false
        if false:
            score.complain(f'{where}: false report')
    elif not first or not first['report']:
        score.count['reports_missed'] += 1
        score.complain(f'{where}: missed')
    else:
        score.count['reports_found'] += 1
        score_index(score, where, row, first['report'])
    if row is None or not first:
        return
    text, _ = expect.text_of(path)
    score_tables(score, where, text, first)
    want = expect.report_of(text)
    got = first['report'] or first['quoted_report']
    if not want:
        return
    score.count['sentences_expected'] += 1
    score.count['sentences_read'] += got is not None
    if got:
        score_fields(score, where, want, got)
    else:
        score.complain(f'{where}: a report stands in it, none was read')


def main():
    verbose = '--wrong' in sys.argv
    exe, corpus = [word for word in sys.argv[1:] if word != '--wrong']
    score = Score(verbose)
    mails = os.path.join(corpus, 'mails')
    with open(os.path.join(mails, 'index.tsv'), encoding='utf-8') as file:
        index = {row['file']: row
                 for row in csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE)}
    start, files, size = time.monotonic(), 0, 0
    for folder, name in ((mails, 'reports'), (mails, 'replies'), (mails, 'near-misses'),
                         (corpus, 'odd'), (corpus, 'commands')):
        for path in files_below(os.path.join(folder, name)):
            where = os.path.relpath(path, folder)
            read_mail(score, exe, path, where, index.get(where))
            files += 1
            size += os.path.getsize(path)
    count = score.count
    for name in ('reports_found', 'reports_missed', 'reports_false', 'broken'):
        print(name, count.pop(name, 0))
    for name in sorted(count):
        print(name, count[name])
    for name in ('rows', 'cells'):
        expected = count[f'{name}_expected']
        print(f'{name}_right_percent',
              round(100 * count[f'{name}_right'] / expected, 3) if expected else 0)
    print('files', files)
    print('bytes', size)
    print('seconds', round(time.monotonic() - start, 1))


if __name__ == '__main__':
    main()
