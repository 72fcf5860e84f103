"""HTML elements grouped by how dehusk treats them, for all packages.

Groups used only by the features of a model are defined beside those features.
"""


def _of(names: str) -> frozenset[str]:
    return frozenset(names.split())


HEADINGS = _of("h1 h2 h3 h4 h5 h6")
"""Headings."""

LISTS = _of("menu ol ul")
"""Lists of items. Without `dl`, which has terms too."""

CELLS = _of("td th")
ROW_GROUPS = _of("tbody tfoot thead")
TABLE_PARTS = CELLS | ROW_GROUPS | {"caption", "tr"}
"""Elements that occur only inside tables."""

CODE = _of("code kbd samp tt")
"""Inline code."""

PREFORMATTED = _of("listing plaintext pre xmp")
"""Elements whose line breaks and spaces are kept."""

BOXES = _of(
    "address article aside center details dialog dir div fieldset figcaption figure footer form header hgroup legend "
    "main nav optgroup option search section summary"
)
"""Blocks that begin and end a line and have no other effect on their content."""

PARSER_BLOCKS = _of(
    "address article aside blockquote dd details div dt figcaption figure footer header hr li main nav p section "
    "summary"
)
"""Blocks where the parser's text writer begins a line, besides headings, lists, tables and code."""

BLOCKS = BOXES | PARSER_BLOCKS | HEADINGS | LISTS | TABLE_PARTS | PREFORMATTED | _of("body button dl frameset table")
"""All blocks: elements that begin a new line, so the text before them and their own text are separate."""

JUDGED_BLOCKS = _of(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
)
"""The blocks that pages were split at when people labelled regions (tests/roles.json). Must never change."""

INLINE = _of("a abbr b bdi cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var")
"""Inline elements. An element that is neither inline nor a block is unknown, or has no text."""

SENTENCE_WORDS = INLINE | _of("acronym bdo big data nobr ruby strike")
"""Inline elements, old and rare ones too: they stay with their sentence even if their regions are template."""

PLAINLY_WRITTEN = HEADINGS | _of(
    "#text a abbr address article aside b center cite div em font footer form header i main nav p section small span "
    "strong td th time u"
)
"""What a text can be in, and the text itself, so that it is written as it stands if it is alone."""

SPACED = _of("button label rt")
"""Elements written inline, with a space before and after."""

UNREAD = _of("annotation annotation-xml audio canvas meter noframes progress rp video")
"""Elements whose text is only a fallback for browsers that cannot show the element: never written."""

NOT_CONTENT = _of("datalist iframe noembed noframes noscript object script select style svg template textarea title")
"""Elements whose content is not text of the page: never nodes of its tree, never in the output.

Exception: a page that has its text only in `noscript` (see `Lent.silent`).
"""

SWALLOWING = _of("iframe noembed noframes textarea title xmp")
"""In HTML, everything up to the end tag of these is text, and `<iframe/>` is a start tag."""

PICTURES = _of("audio canvas embed img video")
"""Elements that show something without having text."""

VOID = _of("area base br col embed hr img input link meta param source track wbr")
"""Void elements: never have content."""

FRAME = _of("aside button footer form header label nav")
"""Elements whose text is usually not the content of the page."""

SAFE = _of(
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd "
    "del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main "
    "mark menu ol p picture pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td "
    "tfoot th thead time tr tt u ul var wbr"
)
"""Elements written to HTML output. Of other elements only the content is written, except for UNSAFE ones."""

UNSAFE = _of("applet audio canvas embed frame frameset iframe math noframes object script style svg template video")
"""Elements left out of HTML output with their content."""

NOT_VIEWED = _of(
    "applet audio base bgsound embed fencedframe frame frameset iframe link meta noembed noframes noscript object "
    "param portal script source style svg template track"
)
"""Elements left out of the view of a whole page: those that run or fetch something, and their fallbacks."""
