regtrail_unit(render_template render)
regtrail_unit(render_compose render)

add_library(test_mail_facts STATIC mail_facts.c)
target_link_libraries(test_mail_facts PUBLIC regtrail_build render templates PRIVATE PkgConfig::CMOCKA)
regtrail_unit(render_report test_mail_facts)
