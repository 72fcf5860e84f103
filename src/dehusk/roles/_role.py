"""What the parts of a page are, in the words a person uses."""

from enum import StrEnum
from typing import Self


class Role(StrEnum):
    """The role of a part. The list is closed: every text of a page has one of these."""

    TITLE = "title", "what the page calls itself, at the head of what it says"
    BYLINE = "byline", "who wrote it and for whom; what is said about the writer of a post"
    DATE = "date", "when it was written or changed"
    LEAD = "lead", "the summary between the title and the text"
    BODY = "body", "running text: paragraphs, lists and quotations"
    HEADING = "heading", "what stands over a part of the content"
    CAPTION = "caption", "what is said about a picture or a table, and whose it is"
    TABLE = "table", "data in rows and columns"
    CODE = "code", "programs, commands and what they print"
    RECORD = "record", "the fields of a thing, such as its price, and the things of a list that is the page's own"
    POST = "post", "what one person says in a thread"
    COMMENT = "comment", "what readers say below, with their names and dates"
    RELATED = "related", "links to other things to read or to buy, with what is said about them"
    NAVIGATION = "navigation", "menus, links to the parts of a site and to more pages of this kind"
    BREADCRUMBS = "breadcrumbs", "where the page is in its site, from the top down"
    CONTENTS = "contents", "the table of contents of the page, or of the book that it is in"
    TAGS = "tags", "what the page is filed under"
    TOOLS = "tools", "what can be done with the page: share, follow, print, rate, reply, buy"
    FORM = "form", "what can be filled in, with its labels: search, login, filters, a comment of one's own"
    PROMOTION = "promotion", "what the site says about its own offers: newsletters, subscriptions, events"
    ADVERTISEMENT = "advertisement", "what others pay for"
    LEGAL = "legal", "copyright, terms, privacy, cookies, imprint"
    NOTICE = "notice", "what is said about the use of the page: scripts, errors, the frame of an archive"
    MASTHEAD = "masthead", "the name of the site, and its motto"

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """A role with a line that says what it is."""
        role = str.__new__(cls, value)
        role._value_ = value
        role.meaning = meaning
        return role
