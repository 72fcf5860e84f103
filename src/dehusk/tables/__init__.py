"""Tables: the places where the pages of a family differ are the columns of a table, and each page is a row."""
