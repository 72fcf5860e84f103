"""The roles of the parts of a page."""

from enum import StrEnum
from typing import Self


class Role(StrEnum):
    """The role of a part. Every text of a page has exactly one."""

    TITLE = "title", "the title of the page, above its text"
    BYLINE = "byline", "the author and publisher; in a forum, details about the author of a post"
    DATE = "date", "the date of publication or of the last change"
    LEAD = "lead", "the summary between the title and the text"
    BODY = "body", "running text: paragraphs, lists and quotations"
    HEADING = "heading", "a heading of a section of the content"
    CAPTION = "caption", "the caption of a picture or table, with its credits"
    TABLE = "table", "data in rows and columns"
    CODE = "code", "programs, commands and their output"
    RECORD = "record", "the fields of a product or other item, such as its price, and the items of a listing page"
    POST = "post", "a post in a forum thread"
    COMMENT = "comment", "comments of readers, with their names and dates"
    RELATED = "related", "links to other articles or products, with their teasers"
    NAVIGATION = "navigation", "menus, links to sections of the site, and paging"
    BREADCRUMBS = "breadcrumbs", "the path of the page in its site, from the home page down"
    CONTENTS = "contents", "the table of contents of the page or of its book"
    TAGS = "tags", "the tags and categories of the page"
    TOOLS = "tools", "actions: share, follow, print, rate, reply, buy"
    FORM = "form", "forms with their labels: search, login, filters, writing a comment"
    PROMOTION = "promotion", "the site's own offers: newsletters, subscriptions, events"
    ADVERTISEMENT = "advertisement", "paid advertising of others"
    LEGAL = "legal", "copyright, terms, privacy, cookies, imprint"
    NOTICE = "notice", "technical notices: scripts, errors, the banner of a web archive"
    MASTHEAD = "masthead", "the name of the site, and its motto"

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """Creates a role with its meaning."""
        role = str.__new__(cls, value)
        role._value_ = value
        role.meaning = meaning
        return role
