regtrail_unit(render_template render)
regtrail_unit(render_compose render)
regtrail_unit(render_digest render templates)

add_library(test_mail_facts STATIC mail_facts.c random_facts.c)
target_link_libraries(test_mail_facts PUBLIC regtrail_build render templates PRIVATE PkgConfig::CMOCKA)
regtrail_unit(render_report test_mail_facts)
regtrail_unit(render_recipients render)
regtrail_unit(render_checks test_mail_facts)
regtrail_unit(render_retest test_mail_facts m)
regtrail_unit(render_roundtrip test_mail_facts m)
# Thousands of mails: a small quarantine saves a third of the time.
set_tests_properties(unit/render_roundtrip PROPERTIES COST 60 ENVIRONMENT
	"${TEST_ENVIRONMENT};ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=8:malloc_context_size=2")

add_executable(emit_mails emit_mails.c)
target_link_libraries(emit_mails PRIVATE test_mail_facts PkgConfig::CMOCKA)
add_test(NAME unit/render_readers
	COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/readers.sh $<TARGET_FILE:emit_mails>
		${PROJECT_SOURCE_DIR} 300)
set_tests_properties(unit/render_readers PROPERTIES
	ENVIRONMENT "${TEST_ENVIRONMENT}" TIMEOUT 300)
