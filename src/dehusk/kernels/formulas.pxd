# C types for formulas.py: see the docstring of this package.
cpdef str bracketed(str text)
