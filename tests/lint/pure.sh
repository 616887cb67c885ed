#!/bin/sh
# pure.sh ARCHIVE...: parser and render must not be able to touch the world.  Whatever
# they need from outside themselves is plain memory, string and number work, GLib, GMime
# and jansson minus their I/O, libyaml on memory, or something the compiler adds.
set -u
allow='^(mem|str|is|to)[a-z]+$'
allow="$allow|^(v?snprintf|__v?snprintf_chk|__(mem|str)[a-z]+_chk|qsort|qsort_r|bsearch|abort|__assert_fail|__errno_location|__ctype_[a-z_]+|__isoc[0-9]+_strto[a-z]+|__isoc99_sscanf)\$"
allow="$allow|^(floor|ceil|trunc|round|rint|nearbyint|lround|llround|sqrt|pow|exp|expm1|log|log10|log1p|log2|fabs|fmod|fmax|fmin|lgamma|tgamma|erf|erfc|frexp|ldexp|modf|nextafter|hypot|isnan|isinf|signbit|lgamma_r|__finite|__isnan|__isinf|__signbit|__fpclassify)\$"
allow="$allow|^(g|g_mime|internet_address)_|^glib_|^gmime_"
allow="$allow|^json_|^jsonp_|^yaml_(parser|token|event|document)_"
allow="$allow|^__(asan|ubsan|lsan|sanitizer|sancov|stack_chk|gcov|afl|start___sancov|stop___sancov)|^_GLOBAL_OFFSET_TABLE_\$|^__start___sancov|^__stop___sancov"
deny='^g_(file|io_|get_real_time|get_monotonic_time|get_current_time|date_time_new_now|date_time_new_local|time_zone_new_local|random|rand|getenv|setenv|spawn|print|log|message|warning|get_(user|host|home|current|tmp)|timer|usleep|thread|mkdir|unlink|open|creat|access|stat|remove|rename|key_file_load_from_(file|dirs|data_dirs)|mapped_file)'
deny="$deny|^g_mime_stream_(fs|file|pipe|gio|gzfile)_|^str(tok|cpy|cat|ncpy|ncat)\$"
# Letters by the locale: the same bytes must always give the same answer.
deny="$deny|^(strcase(cmp|str)|strncasecmp|strcoll|strxfrm|is(alpha|digit|alnum|space|upper|lower|punct|print|cntrl|xdigit)|to(upper|lower)|__ctype_(b|toupper|tolower)_loc)\$|^g_utf8_(strup|strdown|collate.*)\$"
deny="$deny|^json_(load_file|loadf|loadfd|dump_file|dumpf|dumpfd)|^yaml_parser_set_input_file\$"
# GLib's own asserts call these; a message about our own mistakes is no I/O of ours.
except='^g_(log_structured_standard|thread_.*_unused|assertion_message.*|return_if_fail_warning)$'
own=$(nm --defined-only -- "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
hits=$(nm -u -- "$@" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u |
	{ if [ -n "$own" ]; then grep -vxF "$own"; else cat; fi; } |
	awk -v a="$allow" -v d="$deny" -v x="$except" '$0 !~ a || ($0 ~ d && $0 !~ x)')
if [ -n "$hits" ]; then
	printf 'a pure module needs:\n%s\n' "$hits"
	exit 1
fi
