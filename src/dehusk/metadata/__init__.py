"""What a page says about itself: title, authors, dates, language and more, each with where it was found.

`stated` reads what is there for machines, `_shown` what people see around the title, `_habits` what the pages of a
site share. `_reading` weighs them.
"""

from dehusk.metadata._habits import Habits, learn
from dehusk.metadata._reading import Metadata, read

__all__ = ["Habits", "Metadata", "learn", "read"]
