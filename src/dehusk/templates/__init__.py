"""Templates of sites: `Template`, `Cleaned`, and the choice of pages to learn from."""
