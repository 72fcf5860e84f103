"""What is learned of a site and used on its pages: `Template` and `Cleaned`, and which pages to learn from."""
