#!/bin/sh
# pki.sh DIRECTORY: a certificate authority (ca.pem) and servers' certificates under it:
# good (localhost, 127.0.0.1), wrong (another name), expired; self signs for itself.
set -eu
mkdir -p "$1"
cd "$1"
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
here='DNS:localhost,IP:127.0.0.1'

# sign NAME ALTERNATIVE-NAMES FROM TO: a key and a certificate of that time.
sign() {
	# shellcheck disable=SC2086 # $key is a list of options
	openssl req $key -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" \
		-addext "subjectAltName=$2" 2>/dev/null
	openssl ca -batch -notext -config ca.conf -in "$1.csr" -out "$1.pem" \
		-startdate "$3" -enddate "$4" 2>/dev/null
}

cat >ca.conf <<'EOF'
[ca]
default_ca = here
[here]
database = index
serial = serial
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = policy
copy_extensions = copy
x509_extensions = server
unique_subject = no
[policy]
commonName = supplied
[server]
basicConstraints = critical,CA:FALSE
extendedKeyUsage = serverAuth
EOF
: >index
echo 1000 >serial
# shellcheck disable=SC2086
openssl req -x509 $key -keyout ca.key -out ca.pem -days 3650 -subj '/CN=Authority of the tests' \
	-addext 'basicConstraints=critical,CA:TRUE' \
	-addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
# shellcheck disable=SC2086
openssl req -x509 $key -keyout self.key -out self.pem -days 3650 -subj '/CN=localhost' \
	-addext "subjectAltName=$here" 2>/dev/null
sign good "$here" 20200101000000Z 20491231000000Z
sign wrong 'DNS:mx.example.org' 20200101000000Z 20491231000000Z
sign expired "$here" 20200101000000Z 20200201000000Z
chmod 644 ./*.pem
