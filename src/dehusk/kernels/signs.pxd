# C types for signs.py: see the docstring of this package.
cimport cython
cdef extern from "math.h":
    cpdef double exp(double value)

from dehusk.kernels.shapes cimport Shape, size_of

cdef int _ALWAYS, _KEPT, _GONE, _TOP, _BOTTOM, _OPENING, _FIRST_HEADING, _HEADING_STAYS, _HEADING_GOES
cdef int _H1, _LIST_IN_LIST, _LONG_LIST, _LONG_LIST_ON_DOCUMENTATION, _DATA_STAYS, _DATA_GOES
cdef int _DATA_OF_THING, _NO_LINK, _FEW_LINKS, _TO_THIS_PAGE, _LONG_LINKS, _SHORT_LINKS, _SEVERAL_LINKS
cdef int _LABEL, _SHORT, _LONG, _DATE, _DATE_GOES, _HAS_DATE, _PRICE, _RIGHTS, _BY, _NUMBER
cdef int _NUMBER_IN_LINK, _STEPS, _SENTENCE, _PROSE, _SENTENCE_GOES, _COLON, _LABEL_OF_THING
cdef int _TITLE, _BEGINS_TITLE, _PART_OF_TITLE, _AUTHOR
cdef int _BEFORE, _JUST_BEFORE, _JUST_AFTER, _AFTER
cdef int _LONG_CELL, _LEAST_CELLS, _LONG_START, _MOST_SIGNS
cdef int _IS_BLOCK, _IS_HEADING, _IS_LIST, _IS_ITEM, _IS_CELL, _IS_LINK, _IS_TABLE, _LAYS_OUT
cdef int _INSIDE, _TELLS, _ITEM, _MOST_TARGETS
cdef dict _TAGS

@cython.final
cdef class TextBlock:
    cdef public Py_ssize_t number, node, size, linked
    cdef public list texts, anchors
    cdef public str text
    cdef public bint kept, is_heading
    cdef public Shape shape
    cdef public tuple under

@cython.final
cdef class Faded:
    cdef public list signs, strengths
    cdef public bint own
    cdef bint kept_weighed, gone_weighed
    cdef double[::1] kept_points, gone_points
    cdef public Faded bare
    cdef public dict steps, faint_steps

@cython.final
cdef class Weights:
    cdef double[::1] table, factors
    cdef public int roles, record, other, named, under, says, inside, all_in, links, items, places, kinds
    cdef public Faded nothing
    cdef public Py_ssize_t count
    @cython.locals(steps=dict, faded=Faded, signs=list, strengths=list, k="Py_ssize_t")
    cdef Faded step(self, Faded above, tuple own, double strength)
    cdef double[::1] begun(self, Faded names, bint kept)
    @cython.locals(points=object, sums="double[::1]", k="Py_ssize_t", role="Py_ssize_t", row="Py_ssize_t", sign=cython.int,
                   strength=double)
    cdef object _weighed(self, Faded names, bint kept)

@cython.final
cdef class Statement:
    cdef public object titles, title_parts, authors, lengths

@cython.final
cdef class Sight:
    cdef public Weights weights
    cdef int[::1] parent, tree_size, size, bits, table, depth, items, blocks_before, letters_before, signs
    cdef double[::1] strengths
    cdef list tags, texts, links
    cdef public list blocks, named, tagged
    cdef public int kind_number
    cdef bint on_forum, on_documentation, about_thing
    cdef public Py_ssize_t count
    cdef Py_ssize_t total, first_kept, last_kept, opening_end, first_heading
    cdef set data_tables

    @cython.locals(count="Py_ssize_t", parent="int[::1]", texts=list, tags=list, size="int[::1]", node="Py_ssize_t",
                   bits="int[::1]", items_before="int[::1]", here=cython.int, table="int[::1]", depth="int[::1]",
                   items="int[::1]", holder="int[::1]", link="int[::1]", before="int[::1]", block=TextBlock,
                   above="Py_ssize_t", share=double, named=Faded, tagged=Faded, number=cython.int)
    cdef _walk(self, gone, list names)
    @cython.locals(layout=set, long=set, headed=set, cells=dict, node="Py_ssize_t", above="Py_ssize_t", here=cython.int)
    cdef set _data_tables(self)
    @cython.locals(block=TextBlock, other=TextBlock, opened=cython.int, letters="int[::1]", said=tuple, end="Py_ssize_t", number="Py_ssize_t")
    cpdef read(self, known_shape, shape_of, Py_ssize_t longest_known, comment)
    @cython.locals(node="Py_ssize_t", end="Py_ssize_t")
    cdef Py_ssize_t _end_of_part(self, TextBlock block, bint comments)
    cdef void _see(self, int sign)
    cpdef look(self, TextBlock block, Statement statement, plain, target_named)
    @cython.locals(kept=cython.bint, number="Py_ssize_t", place=cython.int, before=double)
    cdef _look_at_place(self, TextBlock block)
    @cython.locals(kept=cython.bint, node="Py_ssize_t", tagged=Faded, k="Py_ssize_t", tag=str, shared=cython.int)
    cdef _look_at_tags(self, TextBlock block)
    @cython.locals(shared=cython.int, here=cython.int, node="Py_ssize_t")
    cdef int _inside(self, TextBlock block) except -2
    @cython.locals(count="Py_ssize_t", share=double, targets=list, few=list, every="unsigned int", k=cython.int, counts=list)
    cdef _look_at_links(self, TextBlock block, target_named)
    @cython.locals(shape=Shape, kept=cython.bint, linked=cython.bint, short=cython.bint)
    cdef _look_at_shape(self, TextBlock block)
    @cython.locals(shape=Shape, heads=cython.bint, text=str)
    cdef _look_at_statement(self, TextBlock block, Statement statement, plain)
    @cython.locals(heads=cython.bint, weight=double, node="Py_ssize_t", first="Py_ssize_t", last="Py_ssize_t")
    cpdef tuple around(self, TextBlock block)
    @cython.locals(width="Py_ssize_t", table="double[::1]", start="Py_ssize_t", begun="double[::1]", role="Py_ssize_t",
                   k="Py_ssize_t", row="Py_ssize_t", strength=double)
    cdef _add_up(self, TextBlock block, double[::1] own)
    @cython.locals(width="Py_ssize_t", means=dict, total="double[::1]", judged=list, block=TextBlock, first="Py_ssize_t",
                   last="Py_ssize_t", weight=double, start="Py_ssize_t", role="Py_ssize_t", mean="double[::1]",
                   best="Py_ssize_t", others=double, most=double)
    cdef list _best(self, double[::1] own)
    @cython.locals(points="double[::1]", block=TextBlock)
    cpdef list judge(self, Statement statement, plain, target_named)

cdef bint _begins_one(str text, titles)
@cython.locals(mean="double[::1]", row="Py_ssize_t", role="Py_ssize_t")
cdef object _mean(double[::1] own, Py_ssize_t first, Py_ssize_t last, Py_ssize_t width)
