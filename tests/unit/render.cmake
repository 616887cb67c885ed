regtrail_unit(render_template render)
regtrail_unit(render_compose render)

add_library(test_mail_facts STATIC mail_facts.c random_facts.c)
target_link_libraries(test_mail_facts PUBLIC regtrail_build render templates PRIVATE PkgConfig::CMOCKA)
regtrail_unit(render_report test_mail_facts)
regtrail_unit(render_recipients render)
regtrail_unit(render_checks test_mail_facts)
regtrail_unit(render_roundtrip test_mail_facts m)
# Thousands of mails: a small quarantine saves a third of the time.
set_tests_properties(unit/render_roundtrip PROPERTIES COST 60 ENVIRONMENT
	"${TEST_ENVIRONMENT};ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=8:malloc_context_size=2")
