# C types for scanning.py: see the docstring of this package.
cimport cython

cdef int _WIDE_EXTRA, _TITLE_WORDS, _ASCII, _SIZES, _OTHER, _SPACE, _WIDE, _WORD, _LOWER, _UPPER, _DIGIT
cdef bytes _KINDS
cdef Py_UCS4 _BEYOND_ASCII
cdef str _ENDS, _CLOSERS, _STOPS, _COMMAS, _SEPARATORS, _QUOTES, _MONEY, _YEARS

cdef bint wide(Py_UCS4 c)

cdef int kind_of(Py_UCS4 c)

@cython.locals(out="double[::1]", k="Py_ssize_t", begins=bytearray, word=str, size=cython.int)
cpdef object texts(list found, frozenset titles)

@cython.locals(length="Py_ssize_t", k="Py_ssize_t", c=Py_UCS4, kind=cython.int, first=cython.int,
               extra="Py_ssize_t", stops="Py_ssize_t", words="Py_ssize_t", letters="Py_ssize_t", sentences="Py_ssize_t",
               commas="Py_ssize_t", capitals="Py_ssize_t", upper="Py_ssize_t", digits="Py_ssize_t", dates="Py_ssize_t",
               separators="Py_ssize_t", money="Py_ssize_t", questions="Py_ssize_t", exclamations="Py_ssize_t",
               quotes="Py_ssize_t", titled="Py_ssize_t", begin="Py_ssize_t", cased=cython.bint, run="Py_ssize_t",
               hour=cython.bint, joint="Py_ssize_t", ended=cython.bint, spaced=cython.bint, initial=Py_UCS4,
               sized=cython.bint)
cdef object scan(str text, frozenset titles, unsigned char[::1] begins, double[::1] out, Py_ssize_t at)
