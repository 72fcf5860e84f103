# C types for shapes.py: see the docstring of this package.
cimport cython

cdef Py_ssize_t _DIGITS_OF_ARTICLE, _PIECES_OF_TITLE
cdef int _SMALL, _LARGE, _DIGIT, _OTHER

@cython.final
cdef class Shape:
    cdef public Py_ssize_t size, words, first
    cdef public bint is_number, ends_sentence, ends_in_colon, has_steps
    cdef public bint may_be_dated, may_be_priced, may_reserve_rights
    cdef public double dated
    cdef public bint priced, reserves_rights, begins_byline
    cdef public tuple said
    cdef public str plain

    @cython.locals(count="Py_ssize_t", size="Py_ssize_t", words="Py_ssize_t", first="Py_ssize_t", number=cython.bint,
                   before="Py_UCS4", char="Py_UCS4", k="Py_ssize_t")
    cdef _read(self, str text)
    @cython.locals(char="Py_UCS4", after="Py_ssize_t")
    cdef _read_mark(self, str text, Py_ssize_t k, Py_ssize_t count)

cdef bint _follows_number(str text, Py_ssize_t k)
@cython.locals(vowel="Py_UCS4", end="Py_UCS4")
cdef bint _begins_rights(str text, Py_ssize_t k, Py_ssize_t count)
cdef bint _begins_year(str text, Py_ssize_t k, Py_ssize_t count)

@cython.locals(size="Py_ssize_t", k="Py_ssize_t", char="Py_UCS4")
cpdef Py_ssize_t size_of(str text)

@cython.locals(count="Py_ssize_t", k="Py_ssize_t")
cpdef Py_ssize_t letters_in(str text)

@cython.locals(words=list, start="Py_ssize_t", before=cython.int, here=cython.int, k="Py_ssize_t", char="Py_UCS4")
cpdef str words_of(str names)

@cython.locals(bits="unsigned int", start="Py_ssize_t", k="Py_ssize_t", count="Py_ssize_t")
cpdef unsigned int names_in(str address, dict numbers)

@cython.locals(digits="Py_ssize_t", pieces="Py_ssize_t", letters="Py_ssize_t", k="Py_ssize_t", count="Py_ssize_t",
               char="Py_UCS4")
cpdef bint is_article(str address)
