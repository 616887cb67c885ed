# Each fault of a server, its outcome, and the step that the words name.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
printf 'From: bot@example.org\nSubject: x\n\nbody\n' >mail

smtpd server

# fault STEP=ACTION OUTCOME WORDS [MAILS]: one mail to ann; how many the server kept.
fault() {
	plan server "$1"
	case $1 in # a busy machine is slow to answer; only silence has to be waited out
	*hang | *trickle) patience=1 ;;
	*) patience=60 ;;
	esac
	expect "${5-0}" "$DELIVER" --timeout $patience "smtp://127.0.0.1:$port" bot@example.org mail \
		ann@example.org
	contains out "$2: "
	contains out "$3"
	contains out "127.0.0.1:$port"
	kept=0
	[ ! -e server/mails.jsonl ] || kept=$(wc -l <server/mails.jsonl)
	if [ "$kept" -ne "${4-0}" ]; then
		printf '%s: the server kept %s mails, not %s\n' "$1" "$kept" "${4-0}"
		exit 1
	fi
}

fault 'connect=554 5.3.2 not today' 'not ready' 'greeting: 554 5.3.2 not today' 0 1
fault 'connect=421 4.3.2 busy' 'not ready' 'greeting: 421 4.3.2 busy' 0 75
fault connect=close 'not ready' 'greeting: closed' 0 75
fault connect=hang 'not ready' 'greeting: no answer in time' 0 75
fault connect=trickle 'not ready' 'greeting: no answer in time' 0 75
fault connect=garbage 'not ready' 'greeting: the server does not speak SMTP' 0 75
fault connect=flood 'not ready' 'greeting: a longer answer than there can be' 0 75
fault connect=long 'not ready' 'greeting: a line of more than' 0 75
fault EHLO=hang 'not ready' 'EHLO: no answer in time' 0 75
fault EHLO=flood 'not ready' 'EHLO: a longer answer than there can be' 0 75
fault 'EHLO=550 5.7.1 who are you' 'not ready' 'EHLO: 550 5.7.1 who' 0 1
fault MAIL=close retry 'MAIL FROM: closed by'
fault MAIL=hang retry 'MAIL FROM: no answer in time'
fault MAIL=garbage retry 'MAIL FROM: the server does not speak SMTP'
fault 'MAIL=451 4.3.0 later' retry 'MAIL FROM: 451 4.3.0 later'
fault 'MAIL=550 5.7.1 no' rejected 'MAIL FROM: 550 5.7.1 no'
fault RCPT=close retry 'RCPT TO:<ann@example.org>: closed by'
fault RCPT=hang retry 'RCPT TO:<ann@example.org>: no answer in time'
fault 'RCPT=550 5.1.1 nobody' rejected 'RCPT TO:<ann@example.org>: 550 5.1.1 nobody'
fault 'RCPT=421 4.3.2 bye' retry 'RCPT TO:<ann@example.org>: 421 4.3.2 bye'
fault DATA=close retry 'DATA: closed by'
fault DATA=hang retry 'DATA: no answer in time'
fault DATA=garbage retry 'DATA: the server does not speak SMTP'
fault 'DATA=554 5.5.1 no' rejected 'DATA: 554 5.5.1 no'
fault dot=close unknown 'after the final dot: closed by' 1
fault dot=lose unknown 'after the final dot: closed by' 0
fault dot=hang unknown 'after the final dot: no answer in time' 1
fault dot=garbage unknown 'after the final dot: the server does not speak SMTP' 1
fault 'dot=451 4.3.0 later' retry 'after the final dot: 451 4.3.0 later'
fault 'dot=554 5.7.1 spam' rejected 'after the final dot: 554 5.7.1 spam'
