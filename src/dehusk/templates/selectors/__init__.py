"""Exports a template for other programs: selectors of what is removed and kept on the pages of a site.

rules = site_rules(template, pages)
rules.css    # a style sheet
rules.ftr    # a site config of Full-Text RSS, as wallabag and others read it
"""

from dehusk.templates.selectors._choosing import SiteRules, site_rules

__all__ = ["SiteRules", "site_rules"]
