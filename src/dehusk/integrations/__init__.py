"""Adapters for the libraries that people crawl and search with. Each module has the name of its library."""
