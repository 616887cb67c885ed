# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# The program explains itself, and wrong usage is told from failure.

expect 0 "$REGTRAIL" help
contains out 'usage: regtrail COMMAND'
contains out 'show unresolved regressions'
expect 0 "$REGTRAIL" --help
contains out 'usage: regtrail COMMAND'
expect 0 "$REGTRAIL" help list
contains out '--older-than SPAN'
expect 0 "$REGTRAIL" list --help
contains out 'usage: regtrail list'
expect 0 "$REGTRAIL" help status
contains out 'acknowledged'
expect 0 "$REGTRAIL" --version
contains out 'regtrail '

expect 2 "$REGTRAIL"
contains err 'which command?'
expect 2 "$REGTRAIL" lists
contains err 'no command named lists'
expect 2 "$REGTRAIL" help lists
expect 2 "$REGTRAIL" list --no-such-option
contains err 'usage: regtrail list'
expect 2 "$REGTRAIL" show
contains err 'an argument is missing'
expect 2 "$REGTRAIL" show one two
contains err 'too many arguments'
expect 2 "$REGTRAIL" --color=sometimes list
expect 2 "$REGTRAIL" list --color=sometimes
contains err 'auto, always or never'

# Options may stand before or behind the command.
expect 1 "$REGTRAIL" --config none.conf list
contains err 'none.conf'
expect 1 "$REGTRAIL" list --config none.conf
contains err 'none.conf'

# A control character in an argument does not reach the terminal.
expect 2 "$REGTRAIL" "$(printf 'x\033[31m')"
lacks err "$(printf '\033')"

# A full disk is no success.
if [ -e /dev/full ]; then
	"$REGTRAIL" help >/dev/full 2>err && exit 1
	contains err 'standard output'
fi
