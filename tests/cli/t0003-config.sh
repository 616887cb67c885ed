# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# A mistake in the configuration is found with file and line.

expect 0 "$REGTRAIL" init

# wrong MESSAGE: list fails with the configuration on standard input, and says that.
wrong() {
	cat >bad.conf
	expect 1 "$REGTRAIL" --config bad.conf list
	contains err "$1"
	[ "$(wc -l <err)" -eq 1 ] || { cat err; exit 1; }
}

wrong 'bad.conf:3: unknown key databse in [regtrail]' <<'END'
# a comment
[regtrail]
databse = x.db
END
wrong 'bad.conf:1: unknown group [regtrial]' <<'END'
[regtrial]
END
wrong 'bad.conf:1: a group without its name: [tree ]' <<'END'
[tree ]
END
wrong 'bad.conf:3: from stands in line 2 already' <<'END'
[regtrail]
from = a@example.org
from = b@example.org
END
wrong 'bad.conf:2: require-dkim is neither yes nor no: maybe' <<'END'
[regtrail]
require-dkim = maybe
END
wrong 'bad.conf:2: from is not an address' <<'END'
[regtrail]
from = the robot
END
wrong 'bad.conf:2: from must be one address' <<'END'
[regtrail]
from = a@example.org, b@example.org
END
wrong 'bad.conf:2: per-hour is not a number: -1' <<'END'
[send]
per-hour = -1
END
wrong 'bad.conf:2: max must be 1 or more: 0' <<'END'
[recipients]
max = 0
END
wrong 'bad.conf:2: apply names something that is no closed status: expected, reported' <<'END'
[policy]
apply = expected, reported
END
wrong 'bad.conf:2: neither a group, a key nor a comment' <<'END'
[send]
via
END
wrong 'bad.conf:1: a key before the first group' <<'END'
via = dir:x
END
wrong 'bad.conf:1: a group without its closing ]' <<'END'
[send
END
printf '[send]\nvia = \377\n' >bytes
wrong 'bad.conf: not UTF-8 text' <bytes

wrong 'bad.conf:2: style cannot be: roboto (there are: robot, robot-2017, brief)' <<'END'
[report]
style = roboto
END
wrong 'bad.conf:2: tls cannot be: yes (there are: offered, required, never)' <<'END'
[source in]
tls = yes
END
wrong 'bad.conf:2: order cannot be: near (there are: posted, next, mainline, stable)' <<'END'
[tree linus]
order = near
END

# Every word that may stand there is one that its reader knows.
for order in posted next mainline stable; do
	printf '[regtrail]\ndatabase = regtrail.db\n[tree linus]\npath = none\norder = %s\n' \
		"$order" >orders.conf
	expect 1 "$REGTRAIL" --config orders.conf scan
	contains err 'none: '
done

# ---- check: what is named and is not there, all of it at once, and no command is run
mkdir -p own/mail own/rules
echo 'See {{> mine }}' >own/mail/first.mustache
echo 'me {{>yours}}' >own/mail/mine.mustache
echo 'you' >own/mail/yours.mustache
echo 'x' >own/mail/mine.txt
echo 'x' >own/rules/mine.mustache
echo 'x' >own/mail/reprot.mustache
echo 'x' >own/rules/mechanism.rules
echo 'x' >own/rules/mechanisms.rules~
cat >places.conf <<END
[regtrail]
database = regtrail.db
from = robot@example.org
maintainers = MAINTAINERS
fill-from = lroe
[report]
kernel-config = kconfigs/%s
[send]
via = smpt://localhost
fcc = imap://localhost
password-command = touch ran
password-file = secret
[templates]
directory = own
[tree linus]
path = linus
[source list]
url = imap:///box
password-command = touch ran
[source none]
user = me
[source here]
url = mbox:here.mbox
END
expect 1 "$REGTRAIL" --config places.conf check
contains out "places.conf: [regtrail] maintainers: $PWD/MAINTAINERS: No such file"
contains out 'places.conf: [regtrail] fill-from: neither a URL nor the name'
contains out 'places.conf: [send] via: smpt://localhost: no such way of delivery'
contains out 'places.conf: [send] fcc: fcc: imap://localhost:143: needs a folder'
contains out "places.conf: [send] password-file: $PWD/secret: No such file"
contains out "places.conf: [tree linus] path: $PWD/linus: No such file"
contains out 'places.conf: [source list] url: expected SCHEME://'
contains out 'places.conf: [source none] url: is not set'
contains out "$PWD/own/mail/reprot.mustache: nothing reads a file of this name"
contains out "$PWD/own/rules/mechanism.rules: nothing reads a file of this name"
contains out "$PWD/own/mail/mine.txt: nothing reads a file of this name"
contains out "$PWD/own/rules/mine.mustache: nothing reads a file of this name"
[ "$(wc -l <out)" -eq 12 ] || { cat out; exit 1; }
[ ! -e ran ] || exit 1

# What keeps the database from being opened hides nothing else.
printf '[regtrail]\ndatabase = regtrail.db\nmailmap = people\nmaintainers = MAINTAINERS\n' >map.conf
expect 1 "$REGTRAIL" --config map.conf list
contains err "[regtrail] mailmap: $PWD/people: "
expect 1 "$REGTRAIL" --config map.conf check
contains out "map.conf: [regtrail] maintainers: $PWD/MAINTAINERS: No such file"
contains out 'is not set: nothing can be reported'
contains err "[regtrail] mailmap: $PWD/people: "
: >people
expect 0 "$REGTRAIL" --config map.conf list

# A database that is not there, or is none.
printf '[regtrail]\ndatabase = other.db\n' >bad.conf
expect 1 "$REGTRAIL" --config bad.conf list
contains err 'other.db: no such database'
echo 'no database' >other.db
expect 1 "$REGTRAIL" --config bad.conf list
contains err 'other.db'
cmp -s other.db - <<'END' || exit 1
no database
END

# No configuration at all.
rm regtrail.conf
expect 1 "$REGTRAIL" list
contains err 'regtrail init'

# The user's own place.
mkdir -p home/regtrail
printf '[regtrail]\ndatabase = %s/regtrail.db\n' "$PWD" >home/regtrail/regtrail.conf
expect 0 env XDG_CONFIG_HOME="$PWD/home" "$REGTRAIL" list
