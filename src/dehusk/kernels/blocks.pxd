# C types for blocks.py: see the docstring of this package.
cimport cython

cdef int _HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL
cdef int _QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION

@cython.final
@cython.no_gc
cdef class Mark:
    cdef public int kind
    cdef public object node
    cdef public bint opens
    cdef public str label

@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class Line:
    cdef public str text
    cdef public list pieces
    cdef public bint free

@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class Block:
    cdef public int kind
    cdef public object node
    cdef public bint divided, header
    cdef public int number
    cdef public list inside

@cython.locals(char=cython.Py_UCS4)
cpdef bint says(str line)
@cython.locals(size="Py_ssize_t", last=cython.Py_UCS4)
cpdef str trimmed(str line)
@cython.locals(shouted=cython.bint)
cpdef bint is_new_word(str end, Py_ssize_t length, str start)
@cython.locals(last=cython.Py_UCS4)
cpdef bint is_label(str text)
@cython.locals(last=cython.Py_UCS4)
cpdef bint is_value(str text)
cpdef list blocks(Block block)
@cython.locals(part=Block)
cpdef bint is_heading(Block block)
@cython.locals(item=Block, part=Block)
cpdef bint lays_out(Block items)
@cython.locals(expected=cython.int)
cpdef bint is_glossary(Block definitions)
@cython.locals(parts=list, rows=list, cells=list, row=Block, cell=Block)
cpdef list dissolved(Block table)
@cython.locals(cells=list)
cpdef list full_cells(Block row)
@cython.locals(last="Py_ssize_t", number="Py_ssize_t", cell=Block)
cpdef bint is_line(list cells)
@cython.locals(row=Block)
cpdef bint is_headed(list rows)
@cython.locals(wide=cython.bint, long=cython.bint, cells=list, row=Block, cell=Block)
cdef bint is_data(list rows)
