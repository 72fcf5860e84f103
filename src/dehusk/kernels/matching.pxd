# C types for matching.py: see the docstring of this package.
cimport cython

@cython.locals(nodes="Py_ssize_t", mates="int[::1]", top="Py_ssize_t", x=cython.int, y=cython.int, wanted=cython.int,
               offered=cython.int, end=cython.int, found=cython.bint)
cpdef object match(int[::1] label1, int[::1] size1, int[::1] label2, int[::1] size2)
