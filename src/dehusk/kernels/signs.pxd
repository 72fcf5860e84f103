# C types for signs.py: see the docstring of this package.
cimport cython
cdef extern from "math.h":
    cpdef double exp(double value)

from dehusk.kernels.shapes cimport Shape
from dehusk.kernels.sight cimport Faded, Sight, TextBlock

cdef int _ALWAYS, _KEPT, _GONE, _TOP, _BOTTOM, _OPENING, _FIRST_HEADING, _HEADING_STAYS, _HEADING_GOES
cdef int _H1, _LIST_IN_LIST, _LONG_LIST, _LONG_LIST_ON_DOCUMENTATION, _DATA_STAYS, _DATA_GOES
cdef int _DATA_OF_THING, _NO_LINK, _FEW_LINKS, _TO_THIS_PAGE, _LONG_LINKS, _SHORT_LINKS, _SEVERAL_LINKS
cdef int _LABEL, _SHORT, _LONG, _DATE, _DATE_GOES, _HAS_DATE, _PRICE, _RIGHTS, _BY, _NUMBER
cdef int _NUMBER_IN_LINK, _STEPS, _SENTENCE, _PROSE, _SENTENCE_GOES, _COLON, _LABEL_OF_THING
cdef int _TITLE, _BEGINS_TITLE, _PART_OF_TITLE, _AUTHOR
cdef int _BEFORE, _JUST_BEFORE, _JUST_AFTER, _AFTER
cdef int _LONG_START, _MOST_SIGNS, _MOST_INSIDE
cdef int LABEL, SHORT_TEXT, LONG_LINK, MOST_LINKS, LONG_LIST
cdef double EDGE
cdef int _INSIDE, _ITEM, _MOST_TARGETS

@cython.final
cdef class Weights:
    cdef double[::1] table
    cdef public int roles, record, other, under, says, all_in, links, items, places, kinds
    cpdef double[::1] begun(self, Faded names, bint kept)
    @cython.locals(points=object, sums="double[::1]", k="Py_ssize_t", role="Py_ssize_t", row="Py_ssize_t", sign=cython.int,
                   strength=double)
    cdef object _weighed(self, Faded names, bint kept)

@cython.final
cdef class Statement:
    cdef public object titles, title_parts, authors, lengths

@cython.final
cdef class Signs:
    cdef Sight sight
    cdef Weights weights
    cdef Statement statement
    cdef object plain, target_named
    cdef int kind_number
    cdef bint on_forum, on_documentation, about_thing
    cdef int[::1] signs
    cdef double[::1] strengths
    cdef Py_ssize_t count

    cpdef dict of(self, TextBlock block)
    cdef void _see(self, int sign)
    cdef _look(self, TextBlock block)
    @cython.locals(kept=cython.bint, number="Py_ssize_t", place=cython.int, before=double)
    cdef _look_at_place(self, TextBlock block)
    @cython.locals(kept=cython.bint, node="Py_ssize_t", tagged=Faded, k="Py_ssize_t", tag=str, shared=cython.int)
    cdef _look_at_tags(self, TextBlock block)
    @cython.locals(count="Py_ssize_t", share=double, targets=list, few=list, every="unsigned int", k=cython.int, counts=list)
    cdef _look_at_links(self, TextBlock block)
    @cython.locals(shape=Shape, kept=cython.bint, linked=cython.bint, short=cython.bint)
    cdef _look_at_shape(self, TextBlock block)
    @cython.locals(statement=Statement, shape=Shape, heads=cython.bint, text=str)
    cdef _look_at_statement(self, TextBlock block)
    @cython.locals(width="Py_ssize_t", table="double[::1]", start="Py_ssize_t", begun="double[::1]", role="Py_ssize_t",
                   k="Py_ssize_t", row="Py_ssize_t", strength=double)
    cdef _add_up(self, TextBlock block, double[::1] own)
    @cython.locals(width="Py_ssize_t", means=dict, total="double[::1]", judged=list, block=TextBlock, first="Py_ssize_t",
                   last="Py_ssize_t", weight=double, start="Py_ssize_t", role="Py_ssize_t", mean="double[::1]",
                   best="Py_ssize_t", others=double, most=double)
    cdef list _best(self, double[::1] own)
    @cython.locals(points="double[::1]", block=TextBlock)
    cpdef list judge(self)

cdef bint _begins_one(str text, titles)
@cython.locals(mean="double[::1]", row="Py_ssize_t", role="Py_ssize_t")
cdef object _mean(double[::1] own, Py_ssize_t first, Py_ssize_t last, Py_ssize_t width)
