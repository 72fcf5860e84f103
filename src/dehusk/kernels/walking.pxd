# C types for walking.py: see the docstring of this package.
cimport cython

@cython.locals(nodes=list, parent="int[::1]", tags=list, texts=list, links=list, top="Py_ssize_t", above=cython.int,
               here=cython.int, children="Py_ssize_t", to_come="int[::1]", places="int[::1]", text=str, room="Py_ssize_t",
               deep="Py_ssize_t", count="Py_ssize_t")
cpdef tuple walk(object root, frozenset not_content)

@cython.locals(spaced=cython.bint, k="Py_ssize_t", char="Py_UCS4")
cdef str _on_one_line(str text)

@cython.locals(size="int[::1]", node="Py_ssize_t")
cpdef object sizes(int[::1] parent)

@cython.locals(at="Py_ssize_t", last="Py_ssize_t", out="unsigned char[::1]", node="Py_ssize_t", below="Py_ssize_t")
cpdef Py_ssize_t flagged(list nodes, int[::1] size, chosen, bytearray flags)

@cython.locals(at="Py_ssize_t", last="Py_ssize_t", node="Py_ssize_t", label=str)
cpdef object labels(list nodes, list having, tuple names, list out)

@cython.locals(out="int[::1]", plain=dict, node="Py_ssize_t", alone=cython.bint, left="Py_ssize_t", name=tuple)
cpdef object names(list nodes, list tags, dict index)

cdef int LONGEST, _LONGEST_LINE, _LONGEST_WORD, _MOST_NAMES, _LEVELS, _SAID, _DATE, _LABEL, _PERSON, _ODD, _PROSE
cdef int _OTHER, _SPACE, _STRANGE, _CAPITAL, _SMALL, _DIGIT, _LINE, _ASCII
cdef Py_UCS4 _BEYOND_ASCII
cdef bytes _KINDS

@cython.final
cdef class Signs:
    cdef frozenset labels, first_words, folders
    cdef tuple addresses
    cdef str selector, met, last_word
    cdef bytes begins

@cython.final
cdef class Telling:
    cdef object _nodes, _plain
    cdef Py_ssize_t _most
    cdef Signs _signs
    cdef set _marked
    cdef frozenset _silent
    cdef str _earlier, _before
    cdef bint _label, _begun

    @cython.locals(signs=Signs, selector=str, text=str, bits=cython.int, tells=cython.int, earlier=str, before=str, label=cython.bint)
    cdef tuple following(self)

cdef bint is_in(element, set others)

cdef bint links_to_person(element, Signs signs)

@cython.locals(lower=str, part=str, end="Py_ssize_t", last="Py_ssize_t")
cdef bint leads_to_person(str address, Signs signs)

cdef int kind_of(Py_UCS4 c)

@cython.locals(size=cython.int, digits=cython.int, joined=cython.bint, begin="Py_ssize_t", end="Py_ssize_t",
               names=cython.int, spaced=cython.bint, person=cython.bint, date=cython.bint, k="Py_ssize_t", longest="Py_ssize_t", c=Py_UCS4,
               kind=cython.int, bits=cython.int, word=str, kinds="const unsigned char *", other=cython.int, space=cython.int,
               strange=cython.int, capital=cython.int, small=cython.int, digit=cython.int)
cpdef int look(str text, Signs signs)

@cython.locals(lower=str, words=list, begin="Py_ssize_t", k="Py_ssize_t", c=Py_UCS4)
cpdef str folded(str text)
