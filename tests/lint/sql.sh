#!/bin/sh
# sql.sh ROOT: SQL stays in tracker/, the network in mailer/, printing in cli/.
set -u
cd "$1" || exit 2
bad=0
if grep -rnE 'sqlite3|"(SELECT|INSERT|UPDATE|DELETE|CREATE TABLE|PRAGMA) ' --include='*.[ch]' \
	parser render mailer cli templates; then
	printf '^^^ SQL lives in tracker/\n'
	bad=1
fi
if grep -rnE '#include <(sys/socket|netdb|arpa/|curl/|libetpan/|gnutls/)' --include='*.[ch]' \
	parser render tracker cli templates; then
	printf '^^^ the network lives in mailer/\n'
	bad=1
fi
if grep -rnE '\b(printf|puts|putchar|perror|exit|fprintf)\(' --include='*.c' \
	parser render mailer tracker templates; then
	printf '^^^ a library neither prints nor exits\n'
	bad=1
fi
if grep -rnE '\b(system|popen|g_spawn_[a-z_]*|strcpy|strcat|sprintf|gets|strtok|tmpnam|mktemp|alloca)\(' \
	--include='*.c' parser render mailer tracker cli templates; then
	printf '^^^ a function that we do not use\n'
	bad=1
fi
exit $bad
