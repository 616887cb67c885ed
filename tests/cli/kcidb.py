#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kcidb.py FILE N: a report in the KCIDB I/O schema 5.3 with N issues, by rules of our own,
and by the schema itself where that and python3-jsonschema are there."""
import json
import os
import re
import sys

LISTS = {'checkouts', 'builds', 'tests', 'issues', 'incidents'}
ID = re.compile(r'^[a-z0-9_]+:[^\0]*$')
PATH = re.compile(r'^([a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*)?$')


def check(condition, *what):
    if not condition:
        sys.exit(' '.join(map(str, what)))


def no_nulls(value, where):
    check(value is not None, where, 'is null')
    if isinstance(value, dict):
        for name, inner in value.items():
            no_nulls(inner, where + '.' + name)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            no_nulls(inner, '%s[%d]' % (where, i))
    elif isinstance(value, str):
        check('\0' not in value, where, 'holds NUL')


def by_rules(report, issues):
    check(set(report) == LISTS | {'version'}, 'properties:', sorted(report))
    check(report['version'] == {'major': 5, 'minor': 3}, 'version', report['version'])
    no_nulls(report, 'report')
    ids = {}
    for name in LISTS:
        ids[name] = {o['id']: o for o in report[name]}
        check(len(ids[name]) == len(report[name]), name, 'have the same id twice')
        for o in report[name]:
            check(ID.match(o['id']), o['id'])
            check(o['id'].split(':')[0] == o['origin'], o['id'], 'is not of', o['origin'])
    for b in report['builds']:
        check(b['checkout_id'] in ids['checkouts'], b['id'], 'has no checkout')
    for t in report['tests']:
        check(t['build_id'] in ids['builds'], t['id'], 'has no build')
        check(PATH.match(t['path']), t['path'])
        check(t['status'] == 'DONE', t['status'])
        number = t.get('number')
        check(number is None or isinstance(number['value'], (int, float)), t['id'])
    for i in report['incidents']:
        issue = ids['issues'].get(i['issue_id'])
        check(issue, i['id'], 'has no issue')
        check(i['issue_version'] == issue['version'], i['id'], 'is of another version')
        check(i['test_id'] in ids['tests'], i['id'], 'has no test')
    for i in report['issues']:
        check(isinstance(i['version'], int) and i['version'] >= 0, i['id'])
        shown = [x['present'] for x in report['incidents'] if x['issue_id'] == i['id']]
        check(True in shown, i['id'], 'is never present')
    check(len(report['issues']) == issues, len(report['issues']), 'issues, not', issues)
    if issues:
        check(any('number' in t for t in report['tests']) or issues == 0, 'no numbers')


def by_schema(report):
    path = os.path.join(os.environ['REGTRAIL_SOURCE'], '../shared/reference/kcidb-schema.json')
    try:
        import jsonschema
        with open(path, encoding='utf-8') as f:
            schema = json.load(f)
    except (ImportError, OSError) as why:
        print('not validated against the schema itself:', why)
        return
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(report))
    for e in errors[:5]:
        print(list(e.path), e.message[:300])
    check(not errors, len(errors), 'errors by the schema')
    print('valid by the schema itself')


with open(sys.argv[1], encoding='utf-8') as file:
    text = json.load(file)
by_rules(text, int(sys.argv[2]))
by_schema(text)
