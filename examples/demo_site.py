"""Writes the demo site: `python examples/demo_site.py OUT`. `dehusk demo` writes it too, and cleans it."""

import sys
from pathlib import Path

from dehusk.cli.demo_site import BASE_URL, kernel, pages, write

__all__ = ["BASE_URL", "kernel", "pages", "write"]

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python examples/demo_site.py OUT")
    print(f"Wrote {write(Path(sys.argv[1]))} pages to {sys.argv[1]}")
