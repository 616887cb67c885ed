# A news server that does what it should, and much that it should not.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/fetching.sh"
mkdir got
make_mails server/mails 300
feedd server nntp
url=nntp://127.0.0.1:$port/example.list

# All of them, with more commands under way than one; then none, then one more.
fetch 0 --keep got --again "$url"
total 300
kept_all server
contains cursor '300 <m300@example.org>'
contains server/said 'AUTHINFO PASS secret'
fetch 0 "$url"
total 0
/usr/bin/python3 "$SERVERS/mails.py" server/mails 1 301
fetch 0 "$url"
total 1
contains out '301 <m301@example.org>: '

# An id is no way to say something else to the server.
fetch 1 --message "$(printf 'm1\r\nPOST\r\n@example.org')" "$url"
lacks server/said POST

# A run that is stopped goes on where it was.
fresh
fetch 1 --stop 250 "$url"
fetch 0 "$url"
total 301

# Gaps, large ones too; expired articles; a server that cannot say what there is.
fresh gaps=3
fetch 0 "$url"
total 201
fresh low=1900000000
fetch 0 "$url"
total 301
for high in 2000000000 4294967295 999999999999999999; do
	fresh high=$high
	fetch 0 "$url"
	total 301
done
fresh high=4294967295000000000000
fetch 1 "$url"
contains err "$url: GROUP: an answer without numbers"
fresh hdr=500 gaps=3
fetch 0 "$url"
total 201
contains server/said 'XHDR Message-ID 1-'
fresh hdr=502 xhdr=503 gaps=3
fetch 0 "$url"
total 201
contains server/said 'OVER 1-'
[ "$(grep -c HDR server/said)" -eq 2 ] || { cat server/said; exit 1; }
fresh hdr=500 xhdr=500 over=503
fetch 0 "$url"
total 301
fresh article=430@7
fetch 0 "$url"
total 300

# Numbers that mean other articles now: all anew.
echo '17 <other@example.org>' >cursor
plan server none=none
fetch 0 "$url"
total 301
echo '4000 <m4000@example.org>' >cursor
fetch 0 "$url"
total 301
echo '299 <m299@example.org>' >cursor
fetch 0 "$url"
total 2
echo 'no cursor' >cursor
fetch 0 "$url"
total 301

# An article that cannot be had is tried in three runs, then named and passed over.
fresh 'article=503 broken@7'
fetch 1 "$url"
contains err "$url: article 7: 503 broken"
fetch 1 "$url"
fetch 0 "$url"
contains out '7 -: 503 broken'
total 295 1
fresh article=large@7
fetch 0 "$url"
contains out '7 <m7@example.org>: larger than mail may be'
total 301 1
fresh article=endless@7
fetch 1 "$url"
contains err 'an article without end'

# A line that breaks, wherever: for now it is over, and the next run goes on.
fresh article=close@270
fetch 75 "$url"
contains err "$url: ARTICLE: closed by the other side"
plan server none=none
fetch 0 "$url"
contains cursor '301 <m301@example.org>'
fresh article=hang@7
fetch 75 --timeout 2 "$url"
contains err 'no answer in time'
fresh article=garbage@7
fetch 1 "$url"
contains err 'not an answer of NNTP'
fresh article=line@7
fetch 1 "$url"
contains err 'a line of more than 4096 bytes'
fresh hdr=garbage
fetch 1 "$url"
contains err "$url: what there is: not an answer of NNTP: garbage"
fresh 'hdr=403 later'
fetch 75 "$url"
for fault in close hang trickle; do
	fresh greeting=$fault
	fetch 75 --timeout 2 "$url"
	contains err 'greeting: '
done
fresh greeting=garbage
fetch 1 "$url"
fresh 'greeting=400 too many'
fetch 75 "$url"
contains err 'greeting: 400 too many'
fresh
expect 1 "$FETCH" --login ann:wrong "$url"
contains err "$url: login: 481 no"
lacks err wrong
[ ! -e cursor ] || exit 1
fetch 75 nntp://127.0.0.1:1/example.list
contains err 'connect: '
fetch 1 nntp://127.0.0.1:1/
contains err 'needs the name of a group'

# Whose certificate is not right gets no password.
"$SERVERS/pki.sh" pki || exit 1
mkdir tls
cp -r server/mails tls/mails
for which in good wrong expired self; do
	feedd tls nntp --certificate "pki/$which"
	rm -f cursor tls/said
	if [ "$which" = good ]; then
		fetch 0 --ca pki/ca.pem "nntp://localhost:$port/example.list"
		total 301
	else
		fetch 1 --ca pki/ca.pem "nntp://localhost:$port/example.list"
		contains err 'STARTTLS: TLS: the certificate'
		lacks tls/said AUTHINFO
	fi
	smtpd_end
	feedd tls nntp --certificate "pki/$which" --tls
	rm -f cursor tls/said
	[ "$which" = good ] && code=0 || code=1
	fetch "$code" --ca pki/ca.pem "nntps://localhost:$port/example.list"
	smtpd_end
done
