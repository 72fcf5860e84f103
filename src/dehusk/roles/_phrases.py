"""What short texts say of themselves: the same few words on most sites, in the languages that have most pages."""

import re
from collections.abc import Mapping

from dehusk.roles._role import Role

LONGEST_PHRASE = 80
"""Letters up to which a text may be one of these phrases."""

# What a text begins with. A $ at the end: what it is from end to end.
_PHRASES: Mapping[Role, str] = {
    Role.ADVERTISEMENT: (
        "advertis|a d v e r t i s|anzeige$|werbung$|reklam|publicid|publicité|реклам|διαφ[ηή]μ|广告|廣告|"
        "sponsored|sponsor(?:en)?$|ads by|ad$|promoted"
    ),
    Role.FORM: (
        "search|log ?in|sign ?in$|password|passwort|user ?name:|"
        r"e-?mail(?: address)?(?: ?\*|:|$| \()|enter your|suche[nr]?|"
        "rechercher|buscar|szukaj|поиск|αναζ[ηή]τηση|搜索|搜尋|登录|登入|"
        "leave a (?:comment|reply)|post a comment|add (?:a|your) comment|sort by|"
        "filter|select |choose |zip(?: code)?:?$|hasło|anmelden$|remember me|forgot|"
        r"your name|name ?(?:\*|\(required)|cancel reply|"
        "click here to cancel|all filters|notify me|you must be logged|submit|you are commenting"
    ),
    Role.TOOLS: (
        "share|tweet|print|e-?mail (?:this|story|article|to)|like (?:this|us)|follow|permalink|"
        "report(?: this| abuse|$)|reply$|quote$|antworten$|zitieren$|répondre|responder|odpowiedz|"
        "add to (?:cart|basket|bag|wish|compare)|drucken|imprimer|drukuj|recommend|your rating|rate this|"
        r"write a review|subscribe to (?:rss|feed)|rss$|facebook|twitter|google ?\+|linkedin|pinterest|digg|"
        r"del\.icio|bookmark|udostępnij|поделиться|печать|列印|分享|打印|转发|轉寄|字[体體]|text size|"
        "font size|cite this|your (?:basket|cart|bag) |shopping (?:cart|bag)|go to (?:basket|cart)|"
        r"(?:\w+ ){0,3}rss\b|"
        "quick view|more sharing|copy link|follow us|nous suivre|(?:site|rss|atom) feeds?|subscribe (?:to:|via|rss)|"
        "save (?:this|to)|apply (?:now|online)|send to|tell a friend|e-?mail$|digg this|reblog|upvote|like$|star$|"
        "podziel się|wyślij|envoyer|teilen|antwort erstellen|neues thema"
    ),
    Role.NAVIGATION: (
        "skip|jump to|next|prev|previous|older|newer|« |» |‹|›|back to|go to|home$|continue reading the main|"
        "« prev|more »|zum (?:haupt)?inhalt|zum seiten|aller (?:à|au)|site ?map|all topics|top$|see all|"
        "view all|up$|nächste|vorherige|далее|назад|首页|首頁|strona główna|αρχικ[ηή]|startseite|accueil|"
        "about us|contact us|available languages|languages?$|sections$|browse|"
        "categories$|archives?$|blogroll|links$|navigation$|friends$|meta$|pages$"
    ),
    Role.RELATED: (
        "related|most (?:read|popular|viewed|shared|commented|recent|emailed)|popular|trending|latest|"
        "recent(?:ly)? |you (?:may|might)|more (?:stories|from|on|news|in|jobs|like|articles)|"
        "also (?:on|in|see)|see also|read (?:also|more|next)|recommended|similar|top stories|top news|"
        "don'?t miss|featured|editor|customers who|people also|what others|mehr (?:zum|zu)|ähnliche|"
        "das könnte|weitere|lire aussi|à lire|articles liés|sur le même|czytaj (?:też|także|więcej)|"
        "zobacz (?:też|także)|polecamy|najczęściej|najnowsze|читайте|похожие|самое|другие|новости|相关|相關|"
        "推荐|推薦|热点|熱門|最新|排行|σχετικ|διαβάστε|περισσότερα|special report|in this section|"
        "from around|elsewhere|best sellers|bestsellers|popularne|what's new|more headlines|full coverage"
    ),
    Role.COMMENT: (
        r"\d+ comments?|"
        r"comments? ?(?:\(|:|$)|kommentare|commentaires|komentarze|комментари|评论|評論|跟贴|reader comments"
    ),
    Role.TAGS: (
        "tags?:|tagged|filed (?:under|in)|labels:|keywords:|posted in|categor(?:y|ies):|topics?:|schlagw|"
        "mots-clés|tagi:|теги|метки|标签|關鍵字|关键[字词]"
    ),
    Role.LEGAL: (
        r"copyright|©|\(c\) |all rights|terms (?:of|and|&)|privacy|cookie|legal|impressum|datenschutz|"
        "disclaimer|licen[sc]e|powered by|we use cookies|this (?:site|website) uses cookies|mentions légales|"
        "polityka prywatności|regulamin|версия|版权|版權|this work is licensed|trademark|"
        "use of this (?:site|website)|by using this|code of ethics"
    ),
    Role.NOTICE: (
        r"about this capture|collected by|collection:|organization: (?:alexa|internet archive)|\d+ captures|"
        "(?:please )?enable java|your browser|javascript|loading|you need (?:to have )?(?:java|flash|adobe)|"
        "timestamps|success$|fail$|the wayback|fetching|загруж|please wait|bitte warten|chargement|ładowanie"
    ),
    Role.PROMOTION: (
        "subscribe|newsletter|sign up|join |get (?:the|our|your|unlimited|breaking)|download (?:the|our)|"
        r"become a|donate|register (?:now|today|for)|start your|try |free trial|save \d|buy now|abonn|prenum|"
        "подпис|订阅|訂閱|be the first to|stay (?:up|in)|advertise|new users|special offers|upcoming events|"
        "free trial|gift subscri|did you know|e-?mail newsletter"
    ),
    Role.DATE: (
        ""
        "(?:published|posted(?: on)?|updated|last (?:updated|modified|edited)|created|date|datum|"
        "added|erstellt|veröffentlicht|opublikowano|дата|发布|更新)[: ]"
    ),
    Role.BYLINE: (
        "by |von |written by|posted by|reported by|par |autor|автор|source:|quelle:|joined:?|posts:?|"
        "messages:?|beiträge|registr(?:ado|iert)|location:|member since|mensajes|likes received|dabei seit|"
        "wohnort|senior member|new member|moderator|username$|by: |记者|來源|来源|anmeldungsdatum|"
        "registered:|reputation|userlevel"
    ),
    Role.CAPTION: (
        r"photo(?:graph)? ?(?:by|:|credit|courtesy)|image ?(?:by|:|credit|courtesy|source)|fig(?:ure|\.) ?\d|"
        r"table \d+[.:]|foto:|bild:|listing \d|credit:|abb(?:ildung|\.) ?\d|фото|рис\.|picture:|getty|"
        r"reuters$|\(?ap photo|fot\.|▲"
    ),
    Role.BREADCRUMBS: (
        "you are here|tutaj jesteś|jesteś tutaj|sie sind hier|vous êtes ici|estás en|вы здесь|当前位置|目前位置"
    ),
    Role.CONTENTS: (
        "(?:table of )?contents$|on this page|in this article|inhalt(?:sverzeichnis)?$|jump to section|"
        "sommaire|目录|目錄"
    ),
}


def _pattern(words: str) -> "re.Pattern[str]":
    return re.compile(rf"\W*(?:{words})", re.IGNORECASE)


_PATTERNS = {role: _pattern(words) for role, words in _PHRASES.items()}
_ANY = _pattern("|".join(_PHRASES.values()))  # most texts are none of these


def roles_said(text: str) -> list[Role]:
    """The roles that a short text speaks of."""
    return [role for role, pattern in _PATTERNS.items() if pattern.match(text)] if _ANY.match(text) else []
