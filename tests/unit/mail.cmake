regtrail_unit(parser_head parser)
regtrail_unit(parser_spans parser)
regtrail_unit(parser_body parser)
regtrail_unit(parser_containers parser)
regtrail_unit(parser_class parser)
regtrail_unit(parser_links parser)
regtrail_unit(parser_scan parser)
regtrail_unit(mail_bounce parser)

# The parser once more, compiled to count what it does: see test_parser_linear.c.
if(NOT REGTRAIL_FUZZ)
	get_target_property(parser_sources parser SOURCES)
	list(TRANSFORM parser_sources PREPEND ${PROJECT_SOURCE_DIR}/parser/)
	add_library(parser_counted STATIC EXCLUDE_FROM_ALL ${parser_sources})
	target_link_libraries(parser_counted PUBLIC regtrail_build
		PRIVATE PkgConfig::GMIME PkgConfig::JANSSON PkgConfig::YAML m)
	target_compile_options(parser_counted PRIVATE
		-fno-sanitize=all -fsanitize-coverage=trace-pc -fno-builtin -U_FORTIFY_SOURCE)
	regtrail_unit(parser_linear parser_counted)
	foreach(walker memchr memrchr memmem strlen strchr strrchr strstr strcasestr strspn
			strcspn strpbrk memcpy memmove g_strdup g_strndup g_utf8_validate
			g_string_append_len g_string_prepend g_string_erase)
		target_link_options(test_parser_linear PRIVATE -Wl,--wrap=${walker})
	endforeach()
endif()
