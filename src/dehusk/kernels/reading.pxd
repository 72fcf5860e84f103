# C types for reading.py: see the docstring of this package.
cimport cython
from dehusk.kernels.blocks cimport Block, Line, Mark, dissolved, is_heading, is_label, is_value, lays_out
from dehusk.kernels.blocks cimport is_new_word, says, trimmed

cdef int _INLINE, _SKIPPED, _BREAKS, _PARAGRAPH, _BR, _IMAGE, _SPACED, _QUOTED, _RULE, _ARTICLE, _SPAN
cdef int _LINK, _STRONG, _EMPHASIS, _CODE, _RAISED, _SUPERSCRIPT, _SUBSCRIPT, _STRUCK, _FORMULA
cdef int _HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL
cdef int _QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION
cdef int _NEW_LINE, _ZERO, _SIGN, _APART, _LAST_SLOT, _FACTOR
cdef dict _EFFECTS
cdef str _ANCHORS
cdef list _NAMES
cdef bytearray _KINDS, _VOIDS, _RAWS

@cython.locals(reader=Reader)
cpdef Block read(root, gaps=*, bint marked=*)
@cython.locals(reader=Reader, data=bytes)
cpdef object read_html(str html, gaps=*)

@cython.final
cdef class Reader:
    cdef object root, gaps, gap_nodes, link, raised_link
    cdef bytes data
    cdef bint marked, zeros, filled, broken, breaks, space, link_space, link_used, raised_space
    cdef Block block
    cdef list open, pieces, marks
    cdef int indents, pre, codes, paragraphs, links, raised, struck, formulas, after_text
    cdef Py_ssize_t room, size, last_text
    cdef Py_ssize_t link_size, link_end, link_piece, link_last, raised_size, raised_piece, struck_size, struck_piece, struck_end
    cdef bytearray line

    @cython.locals(left="Py_ssize_t", kind=cython.int, lefts=list, effects=list, holders=list, effect=cython.int,
                   children="Py_ssize_t", tag=str, is_element=cython.bint)
    cdef read_nodes(self)
    @cython.locals(data=bytes, before="Py_ssize_t", said="Py_ssize_t", filled=cython.bint)
    cdef say_node(self, str text, holder)
    @cython.locals(effect=cython.int, stack=bytearray, deepest="Py_ssize_t", top="Py_ssize_t", skipped="Py_ssize_t",
                   slot=cython.uint, pos="Py_ssize_t", start="Py_ssize_t", name_end="Py_ssize_t", stop="Py_ssize_t",
                   said="Py_ssize_t", closes=cython.bint, boxed=cython.bint, chars="const unsigned char *", known=cython.bint)
    cdef bint read_markup(self, bytes data, Py_ssize_t end) except -1
    @cython.locals(line="unsigned char *", before="Py_ssize_t", size="Py_ssize_t", space=cython.bint, pos="Py_ssize_t",
                   char="unsigned char", wide=cython.int, broken=cython.bint)
    cdef Py_ssize_t say(self, const unsigned char *data, Py_ssize_t start, Py_ssize_t end, bint escaped) except -1
    @cython.locals(line="unsigned char *", size="Py_ssize_t", pos="Py_ssize_t", char="unsigned char", wide=cython.int)
    cdef Py_ssize_t say_verbatim(self, const unsigned char *data, Py_ssize_t start, Py_ssize_t end, bint escaped) except -1
    cdef make_room(self, Py_ssize_t more)
    @cython.locals(data=bytes, filled=cython.bint)
    cdef put(self, str text)
    cdef bint is_in_gap(self, holder)
    cdef str read_from(self, Py_ssize_t start)
    cdef add_space(self)
    @cython.locals(last=cython.uint)
    cdef bint ends_in_zero(self)
    @cython.locals(last=cython.uint)
    cdef bint may_run_on(self)
    @cython.locals(end=str)
    cdef bint runs_on(self, str start)
    @cython.locals(block=Block)
    cdef int enter(self, int kind, node) except -1
    cdef leave(self, int kind, node)
    cdef bracket(self, int kind)
    cdef break_line(self)
    cdef add_new_line(self)
    @cython.locals(pieces=list)
    cdef end_line(self)
    cdef list carried(self, list pieces)
    @cython.locals(text=str, inside=list, free=cython.bint, size="Py_ssize_t")
    cdef add_line(self, list pieces)
    cdef begin_link(self, node)
    @cython.locals(length="Py_ssize_t")
    cdef end_link(self)
    cdef end_marked_link(self, node, Py_ssize_t length)
    cdef bint within_page(self, link)
    @cython.locals(sign=str)
    cdef begin_raised(self, int kind)
    @cython.locals(start="Py_ssize_t", text=str, label=str, form=str, before=str, space=cython.bint, noted=cython.bint, mark=cython.int)
    cdef end_raised(self, int kind)
    @cython.locals(start="Py_ssize_t", text=str, bare=str, before=str, struck=bytes, parts=cython.bint)
    cdef strike(self)
    cdef part_from_struck(self, int char)
    cdef int read_formula(self, node) except -1
    @cython.locals(holder=cython.int)
    cdef int begin_block(self, int kind, node) except -1
    @cython.locals(block=Block, inside=list)
    cdef end_block(self, int kind)

cdef int reference(const unsigned char *data, Py_ssize_t pos, Py_ssize_t end) except -1
@cython.locals(first=cython.uint, second=cython.uint, third=cython.uint)
cdef bint is_blank(const unsigned char *data, Py_ssize_t pos, Py_ssize_t end)
@cython.locals(number="Py_ssize_t")
cdef bint is_name(bytes name, const unsigned char *data, Py_ssize_t start, Py_ssize_t end)
@cython.locals(at="Py_ssize_t")
cdef str attribute(bytes data, Py_ssize_t start, bytes name)
cdef int first_number(str start)
cdef last_block(list parts)
cdef str verbatim(str code)
cdef bint some_hold_zero(gaps)
cdef bint holds_zero(gap)
cdef bint is_gap(element, gaps)
cdef bint pictured(list pieces)
cdef drop_end(list pieces, str chars)
@cython.locals(char=cython.Py_UCS4)
cpdef bint is_sign(str text)
