"""What makes a site of pages: the links between them, the templates they use, and polite ways to fetch them."""
