add_library(test_report_mail STATIC report_mail.c)
target_link_libraries(test_report_mail PUBLIC regtrail_build parser PkgConfig::CMOCKA m)
target_compile_definitions(test_report_mail PRIVATE
	TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")

regtrail_unit(parser_report test_report_mail)
regtrail_unit(parser_seeds test_report_mail)
regtrail_unit(parser_table test_report_mail)
regtrail_unit(parser_trailers test_report_mail)
regtrail_unit(render_text render)
regtrail_unit(render_reading_json test_report_mail render)
