"""The metadata of a page: title, authors, dates, language and more, each with its source.

`stated` reads machine-readable metadata, `_shown` the text around the title, `_habits` what the pages of a site share.
`_reading` decides between them.
"""

from dehusk.metadata._habits import Habits, learn
from dehusk.metadata._reading import Metadata, PageTitle, Reader, may_lack_title, read

__all__ = ["Habits", "Metadata", "PageTitle", "Reader", "learn", "may_lack_title", "read"]
