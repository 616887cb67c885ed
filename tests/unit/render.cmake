regtrail_unit(render_template render)
regtrail_unit(render_compose render)
