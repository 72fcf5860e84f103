"""Words and patterns that indicate roles: names of elements, phrases of short texts, dates, prices and the like."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from dehusk.base.shared import Shared
from dehusk.kernels.shapes import Shape, is_article, names_in, words_of
from dehusk.roles._role import Role

READ = (("id", "class"), ("role", "itemprop", "rel"), ("aria-label", "data-component", "data-testid"))
"""The attributes that name an element, in groups; the most common attributes first."""

_WORD_STARTS = re.compile(r"\b\w")
_PIECES = re.compile(r"\\.|.", re.DOTALL)
_LITERAL = re.compile(r"[^\\\[\](){}?*+.^$]*")

# Beginnings of words; with $ at the end, whole words. Two words match next to each other.
_ROLE_WORDS: Mapping[Role, str] = {
    Role.TITLE: ("headline entry title|post title|article title|story title|page title|thread title|topic title|h1"),
    Role.BYLINE: (
        "byline|author|autor|auteur|verfasser|creator$|writer|reporter|contributor|poster$|posters|profile|user info|"
        "user name|username|user detail|user title|user meta|user profile|message user|post author|postprofile|"
        "memberinfo|nickname|avatar|attribution|vcard|redact|about me|message cell user|posted by|user$|jobtitle|"
        "sender"
    ),
    Role.DATE: (
        "date$|dates$|dateline|datetime|datum|datepublished|datemodified|published|pubdate|timestamp|time$|posted on|"
        "post date|entry date|updated|lastmod|modified|fecha|created"
    ),
    Role.LEAD: (
        "lead$|lede|leadtext|intro$|introtext|introduction|standfirst|abstract|subtitle|subhead$|subheadline|deck$|"
        "dek$|vorspann|chapo|zajawka|excerpt|preamble"
    ),
    Role.CAPTION: (
        "caption|figcaption|cutline|photo credit|image credit|imagecredit|photocredit|bildunterschrift|legende|"
        "image title|imageblock|media credit|thumbcaption|photo desc|pic desc"
    ),
    Role.TABLE: ("datatable|data table|wikitable|scoreboard|standings"),
    Role.CODE: (
        "code$|codes$|highlight$|sourcecode|source code|syntax$|syntaxhighlighter|console$|snippet|example header|"
        "code example|codeblock|listingblock|programlisting|terminal"
    ),
    Role.RECORD: (
        "price|prices|spec$|specs|specification|attribute|attributes|sku|infobox|facts|factbox|product info|"
        "product detail|productdetail|product card|product item|product tile|products$|card information|job tile|"
        "job detail|result item|search result|listing item|list item|offer price|fields?$|features$|keyfacts|snapshot|"
        "tech data|fiche|datasheet|glance|listing$|listings|results$|product block|pricing"
    ),
    Role.POST: (
        "post body|postbody|post text|posttext|post content|postcontent|post message|message body|message text|"
        "message content|messagetext|messagecontent|message user content|bb wrapper|postmsg|post msg|forum message|"
        "forum post|forumpost|threadpost|comment content forum|"
        r"message(?! cell| user| attribution| info| main| meta|s)\b|post$|usertext"
    ),
    Role.COMMENT: (
        "comment$|comments|commentlist|commenttext|comment(?! form| status| count|ing)|discuss|disqus|reply$|replies|"
        "respond|kommentar|komentar|komentarz|commentaire|comentario|reader reaction|talkback|user review|review body|"
        "opinie$|tie area"
    ),
    Role.RELATED: (
        "related|relates|similar|recommend|most|popular|trending|latest|recent|teaser|top stories|topstories|"
        "headlines|also$|read more|readmore|more stories|more from|more news|morenews|hyperpuff|outbrain|taboola|"
        "carousel|upsell|crosssell|cross sell|suggest|linkwithin|zergnet|nrelate|hot topic|hottopic|featured|"
        "feature box|digest|puff|inter ?active elements|special report|ranking|bestseller|community interest|activity|"
        "feed item|polecane|nowosci|lire aussi|mehr zum|competit|comp list|viewed|alsolike|you may|promobox|"
        "editors pick|rail news|news list|newslist|aside news|inside nyt|spotlight"
    ),
    Role.NAVIGATION: (
        "nav(?<!wm nav)|menu|menubar|topbar|sitemap|site map|pager|pagination|paging|pagenav|prev$|previous|next$|"
        "older|skip|archive|archivelist|archives|subnav|channel|channels|footer link|footerlink|header link|toplink|"
        "sublink|lang$|langs|language|languages|categories$|category list|blogroll|linklist|link list|links$|quicklink|"
        "quick link|jump|sections$|mega|drawer|flyout|browse|directory|section list|bottom menu|gh nav|rubri[ck]"
    ),
    Role.BREADCRUMBS: (
        "breadcrumb|bread|crumb|crumbs|breadcrumbs|pathway|you are here|youarehere|ariane|navpath|breadbox|location bar"
    ),
    Role.CONTENTS: (
        "toc$|tocframe|toctree|table of contents|contents$|tableofcontents|inhaltsverzeichnis|sommaire|on this page|"
        "page toc|quickview|outline$|chapter$|chapters"
    ),
    Role.TAGS: (
        "tags?$|tagged|tag list|taglist|keywords?$|labels$|post labels|post categor|entry categor|filed|cat links|"
        "tag links|entry tags|topics$|hashtags?"
    ),
    Role.TOOLS: (
        "share|shares|sharing|sharethis|social|socials|tool$|tools|toolset|toolbox|toolbar|addthis|addtoany|tweet|"
        "twitter|facebook|fb$|like$|likes$|follow|followers|rating|ratings|vote|votes|voting|actions?$|buttons?$|btn|"
        "bookmark|print$|email|font size|fontsize|text size|textsizer|rss|permalink|cart$|minicart|basket|minibasket|"
        "wishlist|compare$|reply link|report$|add to|connect|subscribe rss|udostepnij|feedback|page action|quote link|"
        "rate$|your rating"
    ),
    Role.FORM: (
        "search(?! result)|searchbox|searchform|login|log in|signin|sign in|signup|sign up|register|registration|"
        "form$|forms|commentform|comment form|reply form|filter|filters|facet|facets|suche|recherche|szukaj|logowanie|"
        "password|checkout|sort$|sorting|sortby|refine|input|fieldset|quick reply|respond$|poll$|contact form|textbox|"
        "postcomment|adv search"
    ),
    Role.PROMOTION: (
        "promo|promos|promotion|promotions|newsletter|newsletters|subscri|offer$|offers|cta|campaign|donat|membership|"
        "member box|download app|app banner|appstore|coupon|contest|giveaway|sale$|marketing|house ad|upgrade|"
        "call to action|paywall|announcement|invitation"
    ),
    Role.ADVERTISEMENT: (
        "ad$|ads$|adv$|advert|advertis|advertisement|adsense|adslot|adunit|adbox|adwrap|adcontainer|sponsor|sponsored|"
        "dfp|gpt|reklam|anzeige|werbung|publicid|google ad|banner ad|bannerad|yahoo ad|dart|mpu|skyscraper|"
        "leaderboard|single ad|commercial|adlinks|adtech|promoted"
    ),
    Role.LEGAL: (
        "copyright|legal|terms|privacy|cookie|cookies|gdpr|consent|disclaimer|imprint|impressum|colophon|credit$|"
        "credits|license|licence|trademark|siteinfo|site info|copy$"
    ),
    Role.NOTICE: (
        "notice|warning|errors?$|wm ipp|wm nav|wm cap|wayback|noscript|outdated browser|browser warning|outdated|"
        "unsupported|javascript|no js|system message|announce bar|archive bar"
    ),
    Role.MASTHEAD: (
        "logo|logos|brand$|branding|masthead|site title|sitetitle|site name|sitename|site desc|tagline|slogan|"
        "blog title|blogtitle|blog name|blog desc|description header|header text|headerwrapper|site header title|"
        "board title"
    ),
    Role.BODY: (
        "article body|articlebody|article text|articletext|entry content|entry text|story body|storybody|story text|"
        "storytext|main text|maintext|body text|bodytext|article content|articlecontent|post entry|content text|"
        "rich text|richtext|prose|body content|news text|newstext|text content|endtext|artykul|description|entry$|faq|"
        "answer|hyphenate"
    ),
}

# Areas of the page layout, which may hold blocks of several roles.
_ZONES: Mapping[str, str] = {
    "header": "header|head$|hdr|top$|masthead|banner",
    "footer": "footer|foot$|ftr|bottom$|colophon",
    "side": "sidebar|side$|rail|aside|widget|column|col$|right$|rightcol|rgt",
    "window": "modal|popup|pop$|overlay|dialog|lightbox|tooltip|drawer|dropdown",
    "main": "main$|content$|article|story$|entry",
}


NAMES = (*_ROLE_WORDS, *_ZONES)
"""Everything that names of elements can indicate: roles, then areas."""


@dataclass(frozen=True, slots=True)
class _Alternative:
    """A word or phrase of the entry `number` of `NAMES`. `pattern` is used if `start` is not literal."""

    number: int
    start: str
    whole: bool
    pattern: "re.Pattern[str] | None"


@cache
def _words_by_start() -> dict[str, list[_Alternative]]:
    """Returns the words of names by their first two letters, since trying all words takes much longer."""
    by_start: dict[str, list[_Alternative]] = {}
    for number, words in enumerate((*_ROLE_WORDS.values(), *_ZONES.values())):
        for word in _alternatives(words):
            start, whole = word.removesuffix("$"), word.endswith("$")
            pattern = None if _LITERAL.fullmatch(start) else re.compile(start + r"\b" * whole)
            by_start.setdefault(word[:2], []).append(_Alternative(number, start, whole, pattern))
    return by_start


def _alternatives(words: str, end: str = "") -> list[str]:
    """Splits at bars outside of parentheses, up to the character `end` if given."""
    alternatives, depth = [""], 0
    for piece in _PIECES.findall(words):
        if piece == end and not depth:
            break
        depth += (piece == "(") - (piece == ")")
        if piece == "|" and not depth:
            alternatives.append("")
        else:
            alternatives[-1] += piece
    return alternatives


def roles_named(names: str) -> tuple[int, ...]:
    """Returns the roles and areas that the names of an element indicate, as indexes of `NAMES`."""
    words = words_of(names)
    by_start, named = _words_by_start(), set()
    for at in _starts(words):
        for word in by_start.get(words[at : at + 2], ()):
            if word.pattern is not None:
                speaks = word.pattern.match(words, at) is not None
            else:
                end = at + len(word.start)
                speaks = words.startswith(word.start, at) and not (word.whole and words[end : end + 1].isalnum())
            if speaks:
                named.add(word.number)
    return tuple(sorted(named))


def _starts(words: str) -> Iterable[int]:
    """Returns the positions where words begin."""
    if not words.isascii():  # a lower-cased letter may be two characters, one of which ends a word
        return [start.start() for start in _WORD_STARTS.finditer(words)]
    starts, at = [0], words.find(" ") + 1
    while at:
        starts.append(at)
        at = words.find(" ", at) + 1
    return starts


LONGEST_PHRASE = 80
"""Maximum length of a text that is searched for phrases."""

# Beginnings of texts; with $ at the end, whole texts.
_PHRASES: Mapping[Role, str] = {
    Role.ADVERTISEMENT: (
        "advertis|a d v e r t i s|anzeige$|werbung$|reklam|publicid|publicité|реклам|διαφ[ηή]μ|广告|廣告|sponsored|"
        "sponsor(?:en)?$|ads by|ad$|promoted"
    ),
    Role.FORM: (
        r"search|log ?in|sign ?in$|password|passwort|user ?name:|e-?mail(?: address)?(?: ?\*|:|$| \()|enter your|"
        "suche[nr]?|rechercher|buscar|szukaj|поиск|αναζ[ηή]τηση|搜索|搜尋|登录|登入|leave a (?:comment|reply)|"
        "post a comment|add (?:a|your) comment|sort by|filter|select |choose |zip(?: code)?:?$|hasło|anmelden$|"
        r"remember me|forgot|your name|name ?(?:\*|\(required)|cancel reply|click here to cancel|all filters|"
        "notify me|you must be logged|submit|you are commenting"
    ),
    Role.TOOLS: (
        "share|tweet|print|e-?mail (?:this|story|article|to)|like (?:this|us)|follow|permalink|"
        "report(?: this| abuse|$)|reply$|quote$|antworten$|zitieren$|répondre|responder|odpowiedz|"
        "add to (?:cart|basket|bag|trolley|wish|compare)|compare$|buy (?:it )?now|"
        "drucken|imprimer|drukuj|recommend|your rating|rate this|"
        r"write a review|subscribe to (?:rss|feed)|rss$|facebook|twitter|google ?\+|linkedin|pinterest|digg|del\.icio|"
        "bookmark|udostępnij|поделиться|печать|列印|分享|打印|转发|轉寄|字[体體]|text size|font size|cite this|"
        r"your (?:basket|cart|bag) |shopping (?:cart|bag)|go to (?:basket|cart)|(?:\w+ ){0,3}rss\b|quick view|"
        "more sharing|copy link|follow us|nous suivre|(?:site|rss|atom) feeds?|subscribe (?:to:|via|rss)|"
        "save (?:this|to)|apply (?:now|online)|send to|tell a friend|e-?mail$|digg this|reblog|upvote|like$|star$|"
        "podziel się|wyślij|envoyer|teilen|antwort erstellen|neues thema"
    ),
    Role.NAVIGATION: (
        "skip|jump to|next|prev|previous|older|newer|« |» |‹|›|back to|go to|home$|continue reading the main|« prev|"
        "more »|zum (?:haupt)?inhalt|zum seiten|aller (?:à|au)|site ?map|all topics|top$|see all|view all|up$|nächste|"
        "vorherige|далее|назад|首页|首頁|strona główna|αρχικ[ηή]|startseite|accueil|about us|contact us|"
        "available languages|languages?$|sections$|browse|categories$|archives?$|blogroll|links$|navigation$|friends$|"
        "meta$|pages$"
    ),
    Role.RELATED: (
        "related|most (?:read|popular|viewed|shared|commented|recent|emailed)|popular|trending|latest|recent(?:ly)? |"
        "you (?:may|might)|more (?:stories|from|on|news|in|jobs|like|articles)|also (?:on|in|see)|see also|"
        "read (?:also|more|next)|recommended|similar|top stories|top news|don'?t miss|featured|editor|customers who|"
        "people also|what others|mehr (?:zum|zu)|ähnliche|das könnte|weitere|lire aussi|à lire|articles liés|"
        "sur le même|czytaj (?:też|także|więcej)|zobacz (?:też|także)|polecamy|najczęściej|najnowsze|читайте|похожие|"
        "самое|другие|новости|相关|相關|推荐|推薦|热点|熱門|最新|排行|σχετικ|διαβάστε|περισσότερα|special report|"
        "in this section|from around|elsewhere|best sellers|bestsellers|popularne|what's new|more headlines|"
        "full coverage"
    ),
    Role.COMMENT: (
        r"\d+ comments?|comments? ?(?:\(|:|$)|kommentare|commentaires|komentarze|комментари|评论|評論|跟贴|"
        "reader comments"
    ),
    Role.TAGS: (
        "tags?:|tagged|filed (?:under|in)|labels:|keywords:|posted in|categor(?:y|ies):|topics?:|schlagw|mots-clés|"
        "tagi:|теги|метки|标签|關鍵字|关键[字词]"
    ),
    Role.LEGAL: (
        r"copyright|©|\(c\) |all rights|terms (?:of|and|&)|privacy|cookie|legal|impressum|datenschutz|disclaimer|"
        "licen[sc]e|powered by|we use cookies|this (?:site|website) uses cookies|mentions légales|"
        "polityka prywatności|regulamin|версия|版权|版權|this work is licensed|trademark|use of this (?:site|website)|"
        "by using this|code of ethics"
    ),
    Role.NOTICE: (
        r"about this capture|collected by|collection:|organization: (?:alexa|internet archive)|\d+ captures|"
        "(?:please )?enable java|your browser|javascript|loading|you need (?:to have )?(?:java|flash|adobe)|"
        "timestamps|success$|fail$|the wayback|fetching|загруж|please wait|bitte warten|chargement|ładowanie"
    ),
    Role.PROMOTION: (
        "subscribe|newsletter|sign up|join |get (?:the|our|your|unlimited|breaking)|download (?:the|our)|become a|"
        r"donate|register (?:now|today|for)|start your|try |free trial|save \d|buy now|abonn|prenum|подпис|订阅|訂閱|"
        "be the first to|stay (?:up|in)|advertise|new users|special offers|upcoming events|free trial|gift subscri|"
        "did you know|e-?mail newsletter"
    ),
    Role.DATE: (
        "(?:published|posted(?: on)?|updated|last (?:updated|modified|edited)|created|date|datum|added|erstellt|"
        "veröffentlicht|opublikowano|дата|发布|更新)[: ]"
    ),
    Role.BYLINE: (
        "by |von |written by|posted by|reported by|par |autor|автор|source:|quelle:|joined:?|posts:?|messages:?|"
        "beiträge|registr(?:ado|iert)|location:|member since|mensajes|likes received|dabei seit|wohnort|senior member|"
        "new member|moderator|username$|by: |记者|來源|来源|anmeldungsdatum|registered:|reputation|userlevel"
    ),
    Role.CAPTION: (
        r"photo(?:graph)? ?(?:by|:|credit|courtesy)|image ?(?:by|:|credit|courtesy|source)|fig(?:ure|\.) ?\d|"
        r"table \d+[.:]|foto:|bild:|listing \d|credit:|abb(?:ildung|\.) ?\d|фото|рис\.|picture:|getty|reuters$|"
        r"ap photo|fot\.|▲"
    ),
    Role.BREADCRUMBS: (
        "you are here|tutaj jesteś|jesteś tutaj|sie sind hier|vous êtes ici|estás en|вы здесь|当前位置|目前位置"
    ),
    Role.CONTENTS: (
        "(?:table of )?contents$|on this page|in this article|inhalt(?:sverzeichnis)?$|jump to section|sommaire|目录|"
        "目錄"
    ),
}


ROLES_SAID = tuple(list(Role).index(role) for role in _PHRASES)
_DIGIT, _NO_WORD, _ANY_WORD = "0", " ", ""


class _Phrases(Shared):
    """The phrases of a role with the same first letter. `place` is the index of the role in `_PHRASES`."""

    def __init__(self, place: int, phrases: list[str]) -> None:
        self.place = place
        self.phrases = phrases
        literal = [phrase for phrase in phrases if _LITERAL.fullmatch(phrase.removesuffix("$"))]
        self._starts = tuple(phrase for phrase in literal if not phrase.endswith("$"))
        self._wholes = frozenset(phrase[:-1] for phrase in literal if phrase.endswith("$"))
        self._others = [phrase for phrase in phrases if phrase not in literal]

    def begin(self, text: str, at: int, small: str) -> bool:
        """Whether one of the phrases is at position `at`. `small` is the lower-case text if ASCII, else empty."""
        if not small:
            return self._pattern.match(text, at) is not None
        if small.startswith(self._starts, at) or small[at:] in self._wholes:
            return True
        return bool(self._others) and self._other_pattern.match(text, at) is not None

    @cached_property
    def _pattern(self) -> "re.Pattern[str]":
        return re.compile("|".join(self.phrases), re.IGNORECASE)

    @cached_property
    def _other_pattern(self) -> "re.Pattern[str]":
        return re.compile("|".join(self._others), re.IGNORECASE)


@cache
def _phrases_by_start() -> dict[str, list[_Phrases]]:
    """Returns the phrases by their first letter, since most texts begin with no phrase."""
    by_start: dict[str, list[_Phrases]] = {}
    for place, phrases in enumerate(_PHRASES.values()):
        here: dict[str, list[str]] = {}
        for phrase in _alternatives(phrases):
            for start in _first_letters(phrase):
                here.setdefault(start, []).append(phrase)
        for start, alike in here.items():
            by_start.setdefault(start, []).append(_Phrases(place, alike))
    return by_start


def _first_letters(phrase: str) -> set[str]:
    """Returns the letters or classes of characters that a phrase may begin with."""
    if phrase.startswith("(?:"):
        inside = _alternatives(phrase[3:], end=")")
        rest = phrase[3 + len("|".join(inside)) + 1 :]
        letters = set().union(*map(_first_letters, inside))
        return letters | _first_letters(rest[1:]) if rest.startswith("?") else letters
    if phrase[0] == "\\":
        return {{"d": _DIGIT, "w": _ANY_WORD}.get(phrase[1], _NO_WORD)}
    return {phrase[0] if phrase[0].isalnum() else _NO_WORD}


@cache
def _letters() -> "tuple[re.Pattern[str], list[str]]":
    """Returns a pattern of the first letters of phrases, which ignores case, and these letters."""
    letters = [letter for letter in _phrases_by_start() if letter.isalpha()]
    return re.compile("|".join(f"({letter})" for letter in letters), re.IGNORECASE), letters


@lru_cache(4_096)
def _phrases_from(letter: str) -> tuple[_Phrases, list[_Phrases]]:
    """Returns the phrases that may begin with a letter: all together, and by role."""
    pattern, letters = _letters()
    if letter.isdecimal():
        start: str | None = _DIGIT
    else:
        same = pattern.match(letter)
        start = letters[same.lastindex - 1] if same is not None and same.lastindex else None
    by_role = [*_phrases_by_start().get(start or "none", ()), *_phrases_by_start()[_ANY_WORD]]
    return _Phrases(-1, [phrase for role in by_role for phrase in role.phrases]), by_role


def roles_said(text: str, first: int) -> tuple[int, ...]:
    """Returns the roles that the phrases of a short text indicate. `first` is the position of its first word, or -1."""
    small = text.lower() if text.isascii() else ""
    places: set[int] = set()
    if first >= 0:
        every, by_role = _phrases_from(text[first])
        if every.begin(text, first, small):  # most texts begin with no phrase
            places = {phrases.place for phrases in by_role if phrases.begin(text, first, small)}
    for at in range(first if first >= 0 else len(text)):
        places.update(phrases.place for phrases in _phrases_by_start()[_NO_WORD] if phrases.begin(text, at, small))
    return tuple(ROLES_SAID[place] for place in sorted(places)) if places else ()


_DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d\b|\b(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?[ -][^\W\d]{3,12}[. ,-]+(?:19|20)\d\d\b"
    r"|\b[^\W\d]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d\b|\d{4}年\d{1,2}月"
    r"|\b\d{1,2}:\d\d\b(?: ?[ap]\.?m\.?)?|\b\d+ [^\W\d]{3,8} ago\b|\bvor \d+ \w+|\brok temu\b"
)
_PRICE = re.compile(r"[$€£¥₽]\s?\d|\d\s?(?:[€£₽]|zł|руб|EUR|USD|CHF)\b")
_RIGHTS = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|copyright|all rights reserved|alle rechte|все права|版权所有", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\W_]+")
_BY = re.compile(
    r"(?:by|von|par|por|di|autor|author|автор|od|written by|posted by|reported by|fuente|source|quelle)\b[: ]",
    re.IGNORECASE,
)
_BY_STARTS = frozenset("bvpdaowrfsqBVPDAOWRFSQ\u0430\u0410\u017f")


def plain(text: str) -> str:
    """Returns only the letters and digits of a text, lower-cased, for comparisons."""
    return _BETWEEN.sub("", (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower())


LONGEST_KNOWN = 240
"""Maximum length of a text whose shape is cached: short texts recur on many pages of a site."""

SHORT_TEXT = 60
"""Maximum length of a label, a name or a link; longer texts are prose."""


def shape_of(text: str) -> Shape:
    """Returns the shape of a text, including what needs regular expressions."""
    shape = Shape(text)
    size = shape.size
    if size <= LONGEST_PHRASE:
        shape.said = roles_said(text, shape.first)
    if size <= 2 * SHORT_TEXT and (shape.may_be_dated or " ago" in text or "vor " in text or "rok temu" in text):
        shape.dated = _dated(text)
    if size <= SHORT_TEXT:
        shape.priced = shape.may_be_priced and _PRICE.search(text) is not None
        shape.begins_byline = text[:1] in _BY_STARTS and _BY.match(text) is not None
    if size <= 10 * SHORT_TEXT:
        shape.reserves_rights = shape.may_reserve_rights and _RIGHTS.search(text) is not None
    return shape


known_shape = lru_cache(20_000)(shape_of)
"""`shape_of` with a cache, for texts of at most `LONGEST_KNOWN` characters."""


def _dated(text: str) -> float:
    """Returns the share of a text that is dates or times, from 0 to 1."""
    lengths = [match.end() - match.start() for match in _DATE.finditer(text)]
    return min(1.0, sum(lengths) / len(text)) if text else 0.0


_TARGET_WORDS: Mapping[str, str] = {
    "sharing": "share sharer sharing sharethis addthis twitter facebook linkedin pinterest digg delicious icio reddit "
    "stumbleupon mailto whatsapp telegram wykop weibo intent tweet",
    "feed": "rss feed feeds atom feedburner",
    "print": "print printer printable printthread drucken drukuj imprimir",
    "tag": "tag tags label labels keyword keywords topic topics",
    "category": "category categories cat section sections channel channels",
    "person": "author authors autor user users profile profiles member members memberlist people",
    "account": "login signin signup register registration account logon",
    "search": "search suche recherche szukaj",
    "terms": "privacy terms legal copyright cookie cookies impressum datenschutz license licence disclaimer",
    "comments": "comment comments respond disqus reply kommentar komentarze",
    "offers": "newsletter newsletters subscribe subscription subscriptions donate offer offers deals promo",
    "sponsors": "doubleclick ad ads adclick adserver sponsor sponsored affiliate aff clickid banner",
    "cart": "cart basket checkout wishlist compare",
    "script": "javascript",
    "page": "page seite",
}
TARGETS = (*_TARGET_WORDS, "article", "home")
"""Types of link targets."""

_TARGET_NUMBERS = {word: number for number, words in enumerate(_TARGET_WORDS.values()) for word in words.split()}
_HOME = re.compile(r"(?:https?://[^/]+)?/?(?:index\.\w+)?$")


@lru_cache(20_000)
def target_named(address: str) -> int:
    """Returns the types of a URL as bits, in the order of `TARGETS`."""
    bits = names_in(address.lower(), _TARGET_NUMBERS)
    if is_article(address):
        bits |= 1 << TARGETS.index("article")
    if address.count("/") <= 3 and _HOME.match(address):
        bits |= 1 << TARGETS.index("home")
    return bits
