"""The elements of HTML by what they are to us: one table, which all rooms read.

What only the features of a model name stands beside those features.
"""


def _of(names: str) -> frozenset[str]:
    return frozenset(names.split())


HEADINGS = _of("h1 h2 h3 h4 h5 h6")
"""What titles a part of the page."""

LISTS = _of("menu ol ul")
"""What holds items. Definitions (`dl`) are apart: they hold terms as well."""

FITTED_LISTS = _of("dl ol ul")
"""The lists that the weights of roles were fitted with, until they are fitted again."""

CELLS = _of("td th")
ROW_GROUPS = _of("tbody tfoot thead")
TABLE_PARTS = CELLS | ROW_GROUPS | {"caption", "tr"}
"""What is only ever part of a table."""

CODE = _of("code kbd samp tt")
"""Code inside a line."""

PREFORMATTED = _of("listing plaintext pre xmp")
"""Lines that stay as they are."""

BOXES = _of(
    "address article aside center details dialog dir div fieldset figcaption figure footer form header hgroup legend "
    "main nav optgroup option search section summary"
)
"""What begins and ends a line, and does nothing else to what is in it."""

PARSER_BLOCKS = _of(
    "address article aside blockquote dd details div dt figcaption figure footer header hr li main nav p section "
    "summary"
)
"""Where the parser's own writer of text begins a line, besides headings, lists, tables and code."""

BLOCKS = BOXES | PARSER_BLOCKS | HEADINGS | LISTS | TABLE_PARTS | PREFORMATTED | _of("body button dl frameset table")
"""What stands on lines of its own, so that the text before it and the text in it are two."""

MODEL_BLOCKS = _of(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header li main menu nav ol p pre section table tbody td tfoot th thead tr ul"
)
"""The blocks that the weights of the default method were trained with: BLOCKS, once they are trained again."""

JUDGED_BLOCKS = MODEL_BLOCKS - {"dialog"} | {"caption", "hr", "legend", "summary"}
"""The blocks that pages were cut by when people judged regions of them (tests/roles.json): never to change."""

INLINE = _of("a abbr b bdi cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var")
"""What stands in a sentence. What is neither this nor a block is unknown, or holds no text."""

SENTENCE_WORDS = INLINE - _of("bdi del dfn ins kbd mark s samp small sub sup time")
"""What stays with the sentence around it even where the template says that it goes."""

PLAINLY_WRITTEN = HEADINGS | _of(
    "#text a abbr address article aside b center cite div em font footer form header i main nav p section small span "
    "strong td th time u"
)
"""What a text can be in, and the text itself, so that it is written as it stands if it is alone."""

SPACED = _of("button label rt")
"""What is written in the line that it stands in, with a space before and after."""

UNREAD = _of("annotation annotation-xml audio canvas meter noframes progress rp video")
"""What says something only to browsers that cannot show the element itself: never written."""

NOT_CONTENT = _of("datalist iframe noembed noscript object script select style svg template textarea title")
"""Elements whose inside is not something a page says: never nodes of its tree, never in what is written.

One page may say it in `noscript` alone: see `Lent.silent`.
"""

SWALLOWING = _of("iframe noembed noframes textarea title xmp")
"""To HTML, all up to the end tag is text in these, and `<iframe/>` is a start tag."""

PICTURES = _of("audio canvas embed img video")
"""What shows something although there is no text in it."""

VOID = _of("area base br col embed hr img input link meta param source track wbr")
"""What never holds anything."""

FRAME = _of("aside button footer form header label nav")
"""Inside these a text is not what a page itself has to say."""

SAFE = _of(
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd "
    "del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main "
    "mark menu ol p picture pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td "
    "tfoot th thead time tr tt u ul var wbr"
)
"""What is written as HTML. Of all others only what is in them is."""

UNSAFE = _of("applet audio canvas embed frame frameset iframe math noframes object script style svg template video")
"""What is not written as HTML, nor what is in it."""

NOT_VIEWED = _of(
    "applet audio base bgsound embed fencedframe frame frameset iframe link meta noembed noframes noscript object "
    "param portal script source style svg template track"
)
"""What a view of a whole page leaves out: what runs or fetches something, and what stands in for it."""
