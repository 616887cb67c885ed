regtrail_unit(tracker_status tracker)
