"""Exports a template for other programs: selectors of what is removed and kept on the pages of a site.

rules = site_rules(template, pages)
rules.css    # a style sheet
column_selectors(template, pages)    # CSS and XPath of the columns of tables
rules.ftr    # a site config of Full-Text RSS, as wallabag and others read it
"""

from dehusk.templates.selectors._choosing import SiteRules, site_rules
from dehusk.templates.selectors._columns import ColumnSelector, as_json, column_selectors

__all__ = ["ColumnSelector", "SiteRules", "as_json", "column_selectors", "site_rules"]
