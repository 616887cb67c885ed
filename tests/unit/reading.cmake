regtrail_unit(reading_command parser)
regtrail_unit(reading_phrases parser)
