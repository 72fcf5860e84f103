# C types for sight.py: see the docstring of this package.
cimport cython

from dehusk.kernels.shapes cimport Shape, letters_in, size_of

cdef int _LONG_CELL, _LEAST_CELLS
cdef int OPENING, CLOSING, FEW_BLOCKS, UNDER
cdef double MOST_OF_PAGE, LARGEST_PART, AROUND_WEIGHT, AROUND_HEADING, CLEAR
cdef int _IS_BLOCK, _IS_HEADING, _IS_LIST, _IS_ITEM, _IS_CELL, _IS_LINK, _IS_TABLE, _LAYS_OUT
cdef int _INSIDE, _TELLS, _ITEM
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
cdef class Ways:
    cdef double[::1] factors
    cdef public Faded nothing
    cdef public Py_ssize_t count
    @cython.locals(steps=dict, faded=Faded, signs=list, strengths=list, k="Py_ssize_t")
    cdef Faded step(self, Faded above, tuple own, double strength)

@cython.final
cdef class Sight:
    cdef public Ways ways
    cdef int[::1] parent, tree_size, size, bits, table, depth, items, blocks_before, letters_before
    cdef list tags, texts, links
    cdef public list blocks, named, tagged
    cdef Py_ssize_t total, first_kept, last_kept, opening_end, first_heading, far_before, far_after
    cdef set data_tables

    @cython.locals(count="Py_ssize_t", parent="int[::1]", texts=list, tags=list, size="int[::1]", node="Py_ssize_t",
                   bits="int[::1]", items_before="int[::1]", here=cython.int, table="int[::1]", depth="int[::1]",
                   items="int[::1]", holder="int[::1]", link="int[::1]", before="int[::1]", block=TextBlock,
                   above="Py_ssize_t", share=double, named=Faded, tagged=Faded, number=cython.int)
    cdef _walk(self, gone, list names, int telling)
    @cython.locals(layout=set, long=set, headed=set, cells=dict, node="Py_ssize_t", above="Py_ssize_t", here=cython.int)
    cdef set _data_tables(self)
    @cython.locals(block=TextBlock, opened=cython.int, letters="int[::1]", said=tuple, end="Py_ssize_t", over=list)
    cpdef read(self, known_shape, shape_of, Py_ssize_t longest_known, comment)
    @cython.locals(node="Py_ssize_t", end="Py_ssize_t")
    cdef Py_ssize_t _end_of_part(self, TextBlock block, bint comments)
    @cython.locals(shared=cython.int, here=cython.int, node="Py_ssize_t")
    cdef int inside(self, TextBlock block) except -2
    @cython.locals(heads=cython.bint, weight=double, node="Py_ssize_t", first="Py_ssize_t", last="Py_ssize_t")
    cpdef tuple around(self, TextBlock block)

@cython.locals(counts="int[::1]", node="Py_ssize_t", found=list, together=list, gone=cython.int, whole="Py_ssize_t",
               sure=double, block=TextBlock, confidence=double, text="Py_ssize_t", letters="Py_ssize_t",
               flags="unsigned char[::1]")
cpdef list pieces(int[::1] parent, int[::1] size, list texts, judged, unsigned char[::1] unwritten)
@cython.locals(first=cython.int, last=cython.int, nodes=list, end="Py_ssize_t", text="Py_ssize_t", node="Py_ssize_t",
               above="Py_ssize_t")
cdef list _cover(int[::1] parent, int[::1] size, list texts, int[::1] before)
