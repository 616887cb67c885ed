#!/bin/sh
# fields.sh ROOT: docs/output.md names every field that the program prints.
set -u
cd "$1" || exit 2
bad=0
missing=$(grep -hoE '(print_set_[a-z]+|json_object_set_new|set_array)\([a-z]+, "[a-z_]+"' \
	cli/*.c | sed 's/.*"\(.*\)"/\1/' | sort -u | while read -r field; do
	grep -q "\`$field\`" docs/output.md || printf ' %s' "$field"
done)
if [ -n "$missing" ]; then
	printf 'docs/output.md lacks the fields%s\n' "$missing"
	bad=1
fi
exit $bad
