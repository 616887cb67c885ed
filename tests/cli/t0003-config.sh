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
