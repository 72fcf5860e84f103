"""How good and how fast a method is: data sets with gold, measures, the score of a site, and timing."""
