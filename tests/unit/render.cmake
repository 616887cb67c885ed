regtrail_unit(render_template render)
