# C types for telling.py: see the docstring of this package.
cimport cython

cdef int LONGEST, _LONGEST_LINE, _LONGEST_WORD, _LEVELS, _SAID, _DATE, _LABEL, _ODD, _PROSE, _NAMED, _NOT_NAMED

@cython.final
cdef class Signs:
    cdef frozenset first_words, folders
    cdef tuple names, addresses

@cython.final
cdef class Telling:
    cdef object _nodes, _plain
    cdef Signs _signs
    cdef frozenset _silent
    cdef str _earlier, _before
    cdef bint _label
    cdef dict _seen, _names

    @cython.locals(signs=Signs, text=str, bits=cython.int, earlier=str, before=str, label=cython.bint)
    cdef tuple following(self)

    @cython.locals(level=cython.int)
    cdef bint is_marked(self, element)

    cdef bint is_called(self, element)

@cython.locals(lower=str, part=str)
cdef bint has_any(str text, tuple parts)

@cython.locals(end="Py_ssize_t", last="Py_ssize_t", folder=str)
cdef bint leads_to_people(str address, Signs signs)

@cython.locals(length="Py_ssize_t", size="Py_ssize_t", digits=cython.int, joined=cython.bint, begin="Py_ssize_t",
               end="Py_ssize_t", spaced=cython.bint, date=cython.bint, k="Py_ssize_t", c=Py_UCS4, bits=cython.int)
cpdef int look(str text, frozenset words)

cdef bint is_odd(Py_UCS4 c)
