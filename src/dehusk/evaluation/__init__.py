"""How good a method is: data sets with gold, and the measures."""
