regtrail_unit(parser_log parser)
regtrail_unit(parser_patch parser render)
regtrail_unit(parser_backlinks parser PkgConfig::JANSSON)
regtrail_unit(mailer_history mailer)
