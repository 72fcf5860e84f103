"""Words and shapes that tell what a block is: names authors give, phrases of short texts, what texts look like."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from dehusk.roles._role import Role

READ = ("id", "class", "role", "itemprop", "rel", "aria-label", "data-component", "data-testid")
"""The attributes that name an element."""

_BORDERS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|[^\w]+|_+")

# A word that begins with one of these, or is one of them where it ends in $. Two words stand beside each other.
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
        "(?<!wm )nav|menu|menubar|topbar|sitemap|site map|pager|pagination|paging|pagenav|prev$|previous|next$|older|"
        "skip|archive|archivelist|archives|subnav|channel|channels|footer link|footerlink|header link|toplink|sublink|"
        "lang$|langs|language|languages|categories$|category list|blogroll|linklist|link list|links$|quicklink|"
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

# Parts of the frame that hold more than one thing.
_ZONES: Mapping[str, str] = {
    "header": "header|head$|hdr|top$|masthead|banner",
    "footer": "footer|foot$|ftr|bottom$|colophon",
    "side": "sidebar|side$|rail|aside|widget|column|col$|right$|rightcol|rgt",
    "window": "modal|popup|pop$|overlay|dialog|lightbox|tooltip|drawer|dropdown",
    "main": "main$|content$|article|story$|entry",
}


def _pattern(words: str) -> "re.Pattern[str]":
    patterns = [word[:-1] + r"\b" if word.endswith("$") else word for word in words.split("|")]
    return re.compile(r"\b(?:" + "|".join(patterns) + ")")


_PATTERNS = {name: _pattern(words) for name, words in (*_ROLE_WORDS.items(), *_ZONES.items())}


@lru_cache(20_000)
def roles_named(names: str) -> tuple[str, ...]:
    """The roles that the names of an element speak of, and the parts of the frame."""
    words = " ".join(_BORDERS.sub(" ", names).lower().split())
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(words)) if words else ()


LONGEST_PHRASE = 80
"""Letters up to which a text may be one of these phrases."""

# What a text begins with. A $ at the end: what it is from end to end.
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
        "add to (?:cart|basket|bag|wish|compare)|drucken|imprimer|drukuj|recommend|your rating|rate this|"
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
        r"\(?ap photo|fot\.|▲"
    ),
    Role.BREADCRUMBS: (
        "you are here|tutaj jesteś|jesteś tutaj|sie sind hier|vous êtes ici|estás en|вы здесь|当前位置|目前位置"
    ),
    Role.CONTENTS: (
        "(?:table of )?contents$|on this page|in this article|inhalt(?:sverzeichnis)?$|jump to section|sommaire|目录|"
        "目錄"
    ),
}


def _whole_phrase(words: str) -> "re.Pattern[str]":
    return re.compile(rf"\W*(?:{words})", re.IGNORECASE)


_PHRASE_PATTERNS = {role: _whole_phrase(words) for role, words in _PHRASES.items()}
_ANY = _whole_phrase("|".join(_PHRASES.values()))  # most texts are none of these


def roles_said(text: str) -> list[Role]:
    """The roles that a short text speaks of."""
    return [role for role, pattern in _PHRASE_PATTERNS.items() if pattern.match(text)] if _ANY.match(text) else []


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
_ENDS = re.compile(r"[.!?…。！？](?:[\"'”’»)\]]*)(?:\s|$)|[。！？]")
_BY = re.compile(
    r"(?:by|von|par|por|di|autor|author|автор|od|written by|posted by|reported by|fuente|source|quelle)\b[: ]",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A text as letters and digits alone, to compare it with others."""
    return _BETWEEN.sub("", (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower())


def dated(text: str) -> float:
    """How much of a text is a date or a time, from 0 to 1."""
    lengths = [match.end() - match.start() for match in _DATE.finditer(text)]
    return min(1.0, sum(lengths) / len(text)) if text else 0.0


def priced(text: str) -> bool:
    """Whether it names a price."""
    return bool(_PRICE.search(text))


def reserves_rights(text: str) -> bool:
    """Whether it says whose the page is."""
    return bool(_RIGHTS.search(text))


def sentences(text: str) -> int:
    """How many sentences end in it."""
    return len(_ENDS.findall(text))


def begins_byline(text: str) -> bool:
    """Whether it begins as the line of a writer does."""
    return bool(_BY.match(text))


def is_number(text: str) -> bool:
    """Whether it is the number of a page, or an arrow."""
    return all(not char.isalpha() for char in text)
