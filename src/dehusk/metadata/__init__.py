"""What a page says about itself: title, authors, dates, language and more, each with where it was found.

`stated` reads what is there for machines, `shown` what people see around the title, `habits` what the pages of a site
share. `reading` weighs them.
"""

from dehusk.metadata._habits import Habits, learn
from dehusk.metadata.reading import Metadata, read

__all__ = ["Habits", "Metadata", "learn", "read"]
