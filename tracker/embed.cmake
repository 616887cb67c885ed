# Writes OUT, a C file that defines db_schema with the text of IN.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(..)" "(char)0x\\1," bytes "${hex}")
file(WRITE ${OUT}
	"#include \"tracker/db.h\"\n\nconst char db_schema[] = { ${bytes}0 };\n")
