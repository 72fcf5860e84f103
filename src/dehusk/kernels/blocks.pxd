# C types for blocks.py: see the docstring of this package.
cimport cython

cdef int _INLINE, _SKIPPED, _BREAKS, _PARAGRAPH, _BR, _IMAGE, _SPACED, _QUOTED, _RULE
cdef int _LINK, _STRONG, _EMPHASIS, _CODE, _RAISED
cdef int _HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL
cdef int _QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION

@cython.final
cdef class Mark:
    cdef public int kind
    cdef public object node
    cdef public bint opens
    cdef public str label

@cython.final
cdef class Line:
    cdef public str text
    cdef public list pieces
    cdef public bint free

@cython.final
cdef class Block:
    cdef public int kind
    cdef public object node
    cdef public list inside

@cython.final
cdef class Reader:
    cdef object root, gaps, link
    cdef bint filled, broken, link_used
    cdef Block block
    cdef list open, pieces, marks
    cdef int indents, pre, paragraphs, links, raised
    cdef Py_ssize_t link_start, link_end, raised_start

    @cython.locals(to_come=list, kinds=bytearray, nodes=list, top="Py_ssize_t", kind=cython.int, children="Py_ssize_t", tag=str)
    cpdef Block read(self)
    cdef say(self, str text, node)
    cdef int enter(self, int kind, node) except -1
    cdef leave(self, int kind, node)
    cdef break_line(self)
    @cython.locals(pieces=list)
    cdef end_line(self)
    cdef list carried(self, list pieces)
    @cython.locals(text=str, inside=list)
    cdef add_line(self, list pieces)
    cdef begin_mark(self, int kind, node)
    cdef begin_link(self, node)
    cdef end_link(self)
    cdef end_raised(self)
    @cython.locals(holder=cython.int)
    cdef int begin_block(self, int kind, node) except -1
    cdef end_block(self, int kind)

@cython.locals(lines=list)
cpdef str plain(str text)
cdef str verbatim(str code)
cpdef bint runs_on(word)
cdef drop_bars(list pieces)
cdef bint pictured(list pieces)
cdef str said(list pieces, Py_ssize_t start, end=*)
cpdef bint is_label(str text)
cdef bint is_sign(list pieces, Py_ssize_t start)
cdef bint within_page(link)
cpdef list blocks(Block block)
cdef bint is_heading(Block block)
cdef bint lays_out(Block items)
cdef bint is_data(list rows)
