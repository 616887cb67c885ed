regtrail_unit(parser_head parser)
regtrail_unit(parser_spans parser)
regtrail_unit(parser_body parser)
regtrail_unit(parser_html parser)
regtrail_unit(parser_containers parser)
regtrail_unit(parser_class parser)
regtrail_unit(parser_links parser)
regtrail_unit(parser_scan parser)
regtrail_unit(mail_bounce parser)
regtrail_unit(parser_parts parser)

# The parser once more, compiled to count what it does: see counted.h.
if(NOT REGTRAIL_FUZZ)
	get_target_property(parser_sources parser SOURCES)
	list(TRANSFORM parser_sources PREPEND ${PROJECT_SOURCE_DIR}/parser/)
	add_library(parser_counted STATIC EXCLUDE_FROM_ALL ${parser_sources})
	target_link_libraries(parser_counted PUBLIC regtrail_build
		PRIVATE PkgConfig::GMIME PkgConfig::JANSSON PkgConfig::YAML m)
	# One level in every preset: what is counted is what the compiler made.
	target_compile_options(parser_counted PRIVATE -O1
		-fno-sanitize=all -fsanitize-coverage=trace-pc -fno-builtin -U_FORTIFY_SOURCE)
	add_library(test_counted STATIC EXCLUDE_FROM_ALL counted.c)
	target_link_libraries(test_counted PUBLIC parser_counted PkgConfig::CMOCKA)
	foreach(walker memchr memrchr memmem strlen strchr strrchr strstr strcasestr strspn
			strcspn strpbrk strcmp strncmp memcpy memmove g_strdup g_strndup
			g_utf8_validate g_string_append g_string_append_len g_string_prepend
			g_string_erase g_strstr_len g_ascii_strdown g_strsplit
			g_ptr_array_remove_index)
		target_link_options(test_counted INTERFACE -Wl,--wrap=${walker})
	endforeach()
	regtrail_unit(parser_linear test_counted)
	regtrail_unit(report_linear test_counted)
	regtrail_unit(reading_linear test_counted templates)
	regtrail_unit(results_linear test_counted templates)
endif()
