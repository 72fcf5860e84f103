# C types for plain_text.py: see the docstring of this package.
cimport cython
from dehusk.kernels.blocks cimport Block, Line, blocks, full_cells, is_glossary, is_headed, is_label, is_line, is_value

cdef int _HEADING, _LIST, _ITEM, _TABLE, _ROW, _QUOTATION, _DEFINITIONS, _RULE

@cython.locals(text=str)
cpdef str write(Block block)
@cython.locals(parts=list, written=list, run=list, before=cython.int, kind=cython.int)
cdef list parts_of(Block block)
@cython.locals(quoted=str)
cdef list parts_of_block(int kind, Block block)
@cython.locals(texts=list, number="Py_ssize_t", parts=list, written=list, label=cython.bint)
cdef list definitions_of(Block block)
cdef str defined(str term, str meaning)
@cython.locals(numbered=cython.bint, number=cython.int, parts=list, lines=list, text=str, nested=cython.bint)
cdef list items_of(Block items)
@cython.locals(lines=list)
cdef str indented(str text, str first, str others)
@cython.locals(rows=list, headed=cython.bint, parts=list, lines=list, cells=list, row=Block, cell=Block)
cdef list rows_of(Block table)
@cython.locals(texts=list, text=str, cell=Block)
cdef str row_text(list cells)
