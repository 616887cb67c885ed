# Writes OUT, a C file with the bytes of each of NAMES (separated by |) below DIR.
# A byte array has no length limit and needs no quoting, unlike a string literal.
string(REPLACE "|" ";" names "${NAMES}")
set(arrays "")
set(rows "")
set(n 0)
foreach(name IN LISTS names)
	file(READ ${DIR}/${name} hex HEX)
	string(REGEX REPLACE "(..)" "(char)0x\\1," bytes "${hex}")
	string(APPEND arrays "static const char file_${n}[] = { ${bytes}0 };\n")
	string(APPEND rows "\t{ \"${name}\", file_${n}, sizeof(file_${n}) - 1 },\n")
	math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUT}
	"#include \"templates/templates.h\"\n\n${arrays}\n"
	"const templates_file templates_files[] = {\n${rows}\t{ NULL, NULL, 0 },\n};\n")
