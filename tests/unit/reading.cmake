regtrail_unit(reading_command parser)
regtrail_unit(reading_mechanism parser templates)
regtrail_unit(reading_phrases parser)
regtrail_unit(reading_verdict parser templates)
