# C types for starts.py: see the docstring of this package.
cimport cython

cdef int _LOWER

@cython.locals(data="const unsigned char *", last="Py_ssize_t", count=cython.int, at="Py_ssize_t")
cpdef Py_ssize_t tags(html)

@cython.locals(data="const unsigned char *", count=cython.int, at="Py_ssize_t")
cpdef int roots(html)

@cython.locals(data="const unsigned char *", at="Py_ssize_t", letter=cython.int, after=cython.int, found=list)
cpdef list starts(html)
