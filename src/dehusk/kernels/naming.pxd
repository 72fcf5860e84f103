# C types for naming.py: see the docstring of this package.
cimport cython

cdef int _PART

@cython.final
cdef class Vocabulary:
    cdef dict words
    cdef bytearray begins

    @cython.locals(begins="unsigned char *", last="Py_ssize_t", bits=cython.int, at="Py_ssize_t", known=list, word=str,
                   bit=cython.int, first=cython.bint, final=cython.bint, other=str, end="Py_ssize_t")
    cpdef int kinds(self, str names)

cdef bint is_letter(Py_UCS4 char)
