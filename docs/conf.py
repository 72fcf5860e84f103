"""Configuration of Sphinx, which `docs/build_site.py` runs. Nothing of the site is loaded from elsewhere."""

from pathlib import Path

import dehusk

project = "dehusk"
author = "the dehusk developers"
project_copyright = f"2026, {author}"
release = version = dehusk.__version__

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
smartquotes_action = "q"  # not dashes: options begin with two
html_theme = "furo"
html_title = f"dehusk {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_extra"]
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_favicon = "_static/icon.png"
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"
