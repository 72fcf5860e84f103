"""A page marked: each node template or content, and why; and what a person corrects in it."""
