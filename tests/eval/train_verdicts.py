#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""train_verdicts.py READ_MAILS RULES CORPUS: prints templates/rules/weights.list.

READ_MAILS is the built tests/eval/read_mails, RULES the directory of rule files, CORPUS
one with mails/labels.tsv: two readers' verdicts for each reply (file, primary, secondary,
other_reader).  For each verdict a logistic regression over the features of a mail.  Each
weight is pulled towards what the rule file says of it (a rule speaks for its own verdict
with its own weight, nothing else speaks at all), so that few examples correct the rules
and do not replace them.  Plain coordinate descent in a fixed order: the same input gives
the same file.
"""
import collections
import csv
import json
import math
import os
import re
import subprocess
import sys

VERDICTS = ['none', 'ack', 'analysis', 'question', 'expected', 'ignored', 'invalid',
            'not-reproducible', 'patch', 'fixed', 'dropped', 'duplicate', 'disputed',
            'test-result', 'info', 'thanks']
CLOSING = {'fixed', 'dropped', 'invalid', 'duplicate', 'expected', 'ignored',
           'not-reproducible'}
BIAS = -2.5             # where a verdict starts from
FACTS = {'mail:tested-by': ('test-result', 4.0), 'mail:patch': ('patch', 1.5),
         'mail:patch-attached': ('patch', 1.5), 'mail:ends-asking': ('question', 1.0)}
SPREAD_BIAS = 3.0       # how far examples may move a weight
SPREAD_BIAS_CLOSING = 0.5  # few examples close: rarity says little about the next mail
SPREAD_RULE = 1.0
SPREAD_MAIL = 0.5
SPREAD_CLOSING = 0.25   # ... of features that are no rule of a closing verdict, times this
SECONDARY = 0.7         # how true a second verdict of a mail is
PASSES = 200
SMALLEST = 0.02         # weights nearer to nothing than this are not written


def labels(corpus):
    """The rows of mails/labels.tsv whose mails are there."""
    base = os.path.join(corpus, 'mails')
    with open(os.path.join(base, 'labels.tsv'), encoding='utf-8') as f:
        rows = list(csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE))
    for row in rows:
        row['path'] = os.path.join(base, row['file'])
    return [row for row in rows if os.path.exists(row['path'])]


def features(read_mails, rules, rows):
    """The set of feature names of each mail, by its path."""
    command = [read_mails, rules, '--features'] + [row['path'] for row in rows]
    out = subprocess.run(command, capture_output=True, check=True).stdout
    found = {}
    for line in out.decode('utf-8', 'replace').splitlines():
        record = json.loads(line)
        found[record['file']] = set(record['features'])
    return found


def priors(rules):
    """Feature of a rule in plain words -> (verdict, weight by the rule file); and facts."""
    result = dict(FACTS)
    with open(os.path.join(rules, 'verdicts.rules'), encoding='utf-8') as f:
        for line in f:
            words = line.split()
            if line.startswith('rule ') and len(words) > 1:
                name = words[2] if len(words) > 2 else words[1]
                weight = re.search(r'\bweight=(\S+)', line)
                result['rule:%s/%s' % (words[1], name)] = (
                    words[1], float(weight.group(1)) if weight else 3.2)
    return result


def target(row, verdict):
    if verdict == row['primary'] or verdict in row['other_reader'].split('+'):
        return 1.0
    return SECONDARY if verdict == row['secondary'] else 0.0


def spread(feature, verdict):
    if feature == 'bias':
        return SPREAD_BIAS_CLOSING if verdict in CLOSING else SPREAD_BIAS
    own = feature.startswith('rule:%s/' % verdict)
    factor = SPREAD_CLOSING if verdict in CLOSING and not own else 1.0
    return factor * (SPREAD_RULE if feature.startswith('rule:') else SPREAD_MAIL)


def fit(mails, wanted, names, start, spreads):
    """Weights by name; mails is a list of lists of positions in names."""
    weights = list(start)
    holders = [[] for _ in names]
    for i, mail in enumerate(mails):
        for f in mail:
            holders[f].append(i)
    sums = [sum(weights[f] for f in mail) for mail in mails]
    for _ in range(PASSES):
        largest = 0.0
        for f, holding in enumerate(holders):
            slope = (weights[f] - start[f]) / spreads[f] ** 2
            bend = 1 / spreads[f] ** 2
            for i in holding:
                p = 1 / (1 + math.exp(-max(-30.0, min(30.0, sums[i]))))
                slope += p - wanted[i]
                bend += max(p * (1 - p), 0.05)
            step = slope / bend
            weights[f] -= step
            largest = max(largest, abs(step))
            for i in holding:
                sums[i] -= step
        if largest < 1e-4:
            break
    return weights


def train(rows, found, rules):
    """{feature: {verdict: weight}} from the rows whose features were found."""
    rows = [row for row in rows if row['path'] in found]
    prior = priors(rules)
    names = sorted(set().union(*(found[row['path']] for row in rows)))
    place = {name: i for i, name in enumerate(names)}
    mails = [sorted(place[n] for n in found[row['path']]) for row in rows]
    table = collections.defaultdict(dict)
    for verdict in VERDICTS:
        start = [BIAS if n == 'bias' else
                 prior[n][1] if n in prior and prior[n][0] == verdict else 0.0 for n in names]
        wanted = [target(row, verdict) for row in rows]
        spreads = [spread(n, verdict) for n in names]
        for name, weight in zip(names, fit(mails, wanted, names, start, spreads)):
            if abs(weight) >= SMALLEST:
                table[name][verdict] = weight
    return table


def write(table, out):
    out.write('# SPDX-License-Identifier: GPL-2.0-or-later\n'
              '# What each feature of a mail says for (or, below 0, against) each verdict.\n'
              '# Made by tests/eval/train_verdicts.py; a rule that is not here has the weight\n'
              '# that verdicts.rules gives it.  docs/rules.md says how the sum is used.\n')
    for name in sorted(table):
        pairs = ' '.join('%s=%.2f' % (v, table[name][v]) for v in VERDICTS if v in table[name])
        out.write('%s %s\n' % (name, pairs))


def main():
    if len(sys.argv) != 4:
        sys.exit('usage: train_verdicts.py READ_MAILS RULES CORPUS')
    read_mails, rules, corpus = sys.argv[1:]
    rows = labels(corpus)
    write(train(rows, features(read_mails, rules, rows), rules), sys.stdout)


if __name__ == '__main__':
    main()
