regtrail_unit(tracker_status tracker)
regtrail_unit(tracker_reports tracker SQLite::SQLite3)
regtrail_unit(tracker_delivery tracker)
regtrail_unit(tracker_ingest tracker templates SQLite::SQLite3)
