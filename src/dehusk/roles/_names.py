"""What authors call the elements of their pages: the words of ids, classes, roles and microdata, and what they say.

Style sheets are written in English nearly everywhere; a few words of other languages are common enough to be here.
"""

import re
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
        "byline|author|autor|auteur|verfasser|creator$|writer|reporter|contributor|poster$|posters|profile|"
        "user info|user name|username|user detail|user title|user meta|user profile|message user|post author|"
        "postprofile|memberinfo|nickname|avatar|attribution|vcard|redact|about me|message cell user|"
        "posted by|user$|jobtitle|sender"
    ),
    Role.DATE: (
        "date$|dates$|dateline|datetime|datum|datepublished|datemodified|published|pubdate|timestamp|time$|"
        "posted on|post date|entry date|updated|lastmod|modified|fecha|created"
    ),
    Role.LEAD: (
        "lead$|lede|leadtext|intro$|introtext|introduction|standfirst|abstract|subtitle|subhead$|subheadline|"
        "deck$|dek$|vorspann|chapo|zajawka|excerpt|preamble"
    ),
    Role.CAPTION: (
        "caption|figcaption|cutline|photo credit|image credit|imagecredit|photocredit|bildunterschrift|"
        "legende|image title|imageblock|media credit|thumbcaption|photo desc|pic desc"
    ),
    Role.TABLE: ("datatable|data table|wikitable|scoreboard|standings"),
    Role.CODE: (
        "code$|codes$|highlight$|sourcecode|source code|syntax$|syntaxhighlighter|console$|snippet|"
        "example header|code example|codeblock|listingblock|programlisting|terminal"
    ),
    Role.RECORD: (
        "price|prices|spec$|specs|specification|attribute|attributes|sku|infobox|facts|factbox|product info|"
        "product detail|productdetail|product card|product item|product tile|products$|card information|"
        "job tile|job detail|result item|search result|listing item|list item|offer price|fields?$|features$|"
        "keyfacts|snapshot|tech data|fiche|datasheet|glance|listing$|listings|results$|product block|pricing"
    ),
    Role.POST: (
        "post body|postbody|post text|posttext|post content|postcontent|post message|message body|"
        "message text|message content|messagetext|messagecontent|message user content|bb wrapper|postmsg|"
        "post msg|forum message|forum post|forumpost|threadpost|comment content forum|"
        r"message(?! cell| user| attribution| info| main| meta|s)\b|post$|usertext"
    ),
    Role.COMMENT: (
        "comment$|comments|commentlist|commenttext|comment(?! form| status| count|ing)|discuss|disqus|reply$|"
        "replies|respond|kommentar|komentar|komentarz|commentaire|comentario|reader reaction|talkback|"
        "user review|review body|opinie$|tie area"
    ),
    Role.RELATED: (
        "related|relates|similar|recommend|most|popular|trending|latest|recent|teaser|top stories|topstories|"
        "headlines|also$|read more|readmore|more stories|more from|more news|morenews|hyperpuff|outbrain|"
        "taboola|carousel|upsell|crosssell|cross sell|suggest|linkwithin|zergnet|nrelate|hot topic|hottopic|"
        "featured|feature box|digest|puff|inter ?active elements|special report|ranking|bestseller|"
        "community interest|activity|feed item|polecane|nowosci|lire aussi|mehr zum|competit|comp list|"
        "viewed|alsolike|you may|promobox|editors pick|rail news|news list|newslist|aside news|inside nyt|"
        "spotlight"
    ),
    Role.NAVIGATION: (
        "(?<!wm )nav|menu|menubar|topbar|sitemap|site map|pager|pagination|paging|pagenav|prev$|previous|"
        "next$|older|skip|archive|archivelist|archives|subnav|channel|channels|footer link|footerlink|"
        "header link|toplink|sublink|lang$|langs|language|languages|categories$|category list|blogroll|"
        "linklist|link list|links$|quicklink|quick link|jump|sections$|mega|drawer|flyout|browse|directory|"
        "section list|bottom menu|gh nav|rubri[ck]"
    ),
    Role.BREADCRUMBS: (
        "breadcrumb|bread|crumb|crumbs|breadcrumbs|pathway|you are here|youarehere|ariane|navpath|breadbox|location bar"
    ),
    Role.CONTENTS: (
        "toc$|tocframe|toctree|table of contents|contents$|tableofcontents|inhaltsverzeichnis|sommaire|"
        "on this page|page toc|quickview|outline$|chapter$|chapters"
    ),
    Role.TAGS: (
        "tags?$|tagged|tag list|taglist|keywords?$|labels$|post labels|post categor|entry categor|filed|"
        "cat links|tag links|entry tags|topics$|hashtags?"
    ),
    Role.TOOLS: (
        "share|shares|sharing|sharethis|social|socials|tool$|tools|toolset|toolbox|toolbar|addthis|addtoany|"
        "tweet|twitter|facebook|fb$|like$|likes$|follow|followers|rating|ratings|vote|votes|voting|actions?$|"
        "buttons?$|btn|bookmark|print$|email|font size|fontsize|text size|textsizer|rss|permalink|cart$|"
        "minicart|basket|minibasket|wishlist|compare$|reply link|report$|add to|connect|subscribe rss|"
        "udostepnij|feedback|page action|quote link|rate$|your rating"
    ),
    Role.FORM: (
        "search(?! result)|searchbox|searchform|login|log in|signin|sign in|signup|sign up|register|"
        "registration|form$|forms|commentform|comment form|reply form|filter|filters|facet|facets|suche|"
        "recherche|szukaj|logowanie|password|checkout|sort$|sorting|sortby|refine|input|fieldset|quick reply|"
        "respond$|poll$|contact form|textbox|postcomment|adv search"
    ),
    Role.PROMOTION: (
        "promo|promos|promotion|promotions|newsletter|newsletters|subscri|offer$|offers|cta|campaign|donat|"
        "membership|member box|download app|app banner|appstore|coupon|contest|giveaway|sale$|marketing|"
        "house ad|upgrade|call to action|paywall|announcement|invitation"
    ),
    Role.ADVERTISEMENT: (
        "ad$|ads$|adv$|advert|advertis|advertisement|adsense|adslot|adunit|adbox|adwrap|adcontainer|sponsor|"
        "sponsored|dfp|gpt|reklam|anzeige|werbung|publicid|google ad|banner ad|bannerad|yahoo ad|dart|mpu|"
        "skyscraper|leaderboard|single ad|commercial|adlinks|adtech|promoted"
    ),
    Role.LEGAL: (
        "copyright|legal|terms|privacy|cookie|cookies|gdpr|consent|disclaimer|imprint|impressum|colophon|"
        "credit$|credits|license|licence|trademark|siteinfo|site info|copy$"
    ),
    Role.NOTICE: (
        "notice|warning|errors?$|wm ipp|wm nav|wm cap|wayback|noscript|outdated browser|browser warning|"
        "outdated|unsupported|javascript|no js|system message|announce bar|archive bar"
    ),
    Role.MASTHEAD: (
        "logo|logos|brand$|branding|masthead|site title|sitetitle|site name|sitename|site desc|tagline|"
        "slogan|blog title|blogtitle|blog name|blog desc|description header|header text|headerwrapper|"
        "site header title|board title"
    ),
    Role.BODY: (
        "article body|articlebody|article text|articletext|entry content|entry text|story body|storybody|"
        "story text|storytext|main text|maintext|body text|bodytext|article content|articlecontent|"
        "post entry|content text|rich text|richtext|prose|body content|news text|newstext|text content|"
        "endtext|artykul|description|entry$|faq|answer|hyphenate"
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
    found = [word[:-1] + r"\b" if word.endswith("$") else word for word in words.split("|")]
    return re.compile(r"\b(?:" + "|".join(found) + ")")


_PATTERNS = {name: _pattern(words) for name, words in (*_ROLE_WORDS.items(), *_ZONES.items())}


@lru_cache(20_000)
def roles_named(names: str) -> tuple[str, ...]:
    """The roles that the names of an element speak of, and the parts of the frame."""
    words = " ".join(_BORDERS.sub(" ", names).lower().split())
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(words)) if words else ()
