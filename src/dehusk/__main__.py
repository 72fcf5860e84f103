"""`python -m dehusk` is the command line."""

import sys

from dehusk.cli import main

sys.exit(main())
