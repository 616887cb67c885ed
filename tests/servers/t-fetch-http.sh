# public-inbox over HTTP as it should be, and a web server that does what it should not.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/fetching.sh"
unset http_proxy https_proxy all_proxy no_proxy
mkdir got
make_mails server/mails 30
feedd server http
inbox=http://127.0.0.1:$port/list/
now=$(date +%s)
set -- --since $((now - 86400)) --contact admin@example.org "lore+$inbox"

# All of them; once more when the search has had its time; and nothing until the state
# of the inbox changes.
fetch 0 "$@"
total 30
later cursor
fetch 0 --keep got "$@"
total 30
kept_all server
contains out 'm7@example.org: '
contains server/said 'POST /list/?q=rt%3A'
contains server/said ' regtrail (admin@example.org)'
rm server/said
fetch 0 "$@"
total 0
[ "$(wc -l <server/said)" -eq 1 ] || { cat server/said; exit 1; }
/usr/bin/python3 "$SERVERS/mails.py" server/mails 1 31
fetch 0 "$@"
total 31

# The search lags behind the inbox: what it does not show yet is asked for again.
/usr/bin/python3 "$SERVERS/mails.py" server/mails 1 32
echo 31 >server/indexed
fetch 0 "$@"
total 31
rm server/indexed
fetch 0 "$@"
total 32
later cursor
fetch 0 "$@"
total 32
fetch 0 "$@"
total 0
rm server/mails/000032
rm -f cursor

# Single mails and threads; what is not there is not found.
fetch 0 --message m1@example.org "$inbox"
cmp out server/mails/000001 || exit 1
contains server/said 'GET /list/m1%40example.org/raw'
fetch 1 --message 'nobody/#?%@example.org' "$inbox"
contains server/said 'GET /list/nobody%2F%23%3F%25%40example.org/raw'
contains err 'the server answers with 404'
fetch 0 --thread m1@example.org "$inbox"
[ "$(grep -c '^From mboxrd@z' out)" -eq 31 ] || exit 1
fetch 1 "lore+http://127.0.0.1:$port/list/?q="
contains err 'a search without words'
fetch 1 "lore+http://ann@127.0.0.1:$port/list/"

# What is wrong is said, and no cursor moves.
# wrong FAULT STATUS WORDS
wrong() {
	case $1 in hang) patience=2 ;; *) patience=60 ;; esac
	fresh "any=$1"
	fetch "$2" --timeout "$patience" "$url"
	contains err "$3"
	[ ! -e cursor ] || { echo "a cursor after $1"; exit 1; }
	fetch "$2" --timeout "$patience" --thread m1@example.org "$inbox"
	contains err "$3"
}
url=lore+$inbox
wrong html 1 'the answer is text/html; charset=UTF-8, not application/gzip'
wrong text 1 'gzip data is damaged'
wrong truncated 75 'gzip data is truncated'
wrong short 75 'gzip data is truncated'
wrong bomb 1 'gzip data unpacks to '
wrong endless 1 ' of more than '
wrong loop 1 'redirects'
wrong close 75 'list'
wrong hang 75 'list'
wrong 500 75 'the server answers with 500'
wrong 403 1 'the server answers with 403'
wrong 429/3600 75 'the server wants to be asked again in 3600 seconds'
for fault in garbage deep; do
	fresh any=$fault
	fetch 1 "$url"
	contains err 'not a JSON object'
done
fresh any=endless
fetch 1 --message m1@example.org "$inbox"
contains err 'an answer of more than 68157440 bytes'
fresh any=404
fetch 1 "$url"
contains err 'the server answers with 404'
fetch 1 --message m1@example.org "http://127.0.0.1:$port/list/"

# A server that wants a little time gets it.
fresh any=503/1#1
smtpd_end
feedd server http
url=lore+http://127.0.0.1:$port/list/
fetch 0 --since $((now - 86400)) "$url"
total 31
fetch 75 lore+http://127.0.0.1:1/list/

# Whose certificate is not right is not believed.
"$SERVERS/pki.sh" pki || exit 1
for which in good wrong expired self; do
	mkdir -p tls
	[ -d tls/mails ] || cp -r server/mails tls/mails
	feedd tls http --certificate "pki/$which" --tls
	rm -f cursor
	[ "$which" = good ] && code=0 || code=1
	fetch "$code" --ca pki/ca.pem --since $((now - 86400)) "lore+https://localhost:$port/list/"
	[ "$which" = good ] || [ ! -e tls/said ] || exit 1
	rm -f tls/said
	smtpd_end
done
