regtrail_unit(comparison_corpus render parser templates PkgConfig::JANSSON)
regtrail_unit(comparison_examples render parser templates)
