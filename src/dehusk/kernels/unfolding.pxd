# C types for unfolding.py: see the docstring of this package.
cimport cython

@cython.final
cdef class Edits:
    cdef list _renamed, _placed
    @cython.locals(old=str)
    cpdef bint rename(self, element, tag)
    cpdef replace(self, element, str text)
    cpdef drop(self, node)
    cpdef append(self, element, text)
    cpdef insert(self, node, text)
    cdef _swap(self, node, other)

@cython.locals(found=dict, wrapped=list, definitions=list, lists=list, layouts=set, tag=str, in_code=cython.bint)
cpdef prepare(inside, Edits edits)
@cython.locals(items=Above, heads=Above, links=Above, left_out=Above, tag=str, held=str, strays=cython.bint, parted=set)
cpdef set_apart(inside, Edits edits, written)
cdef _part(above, Edits edits, set parted)

@cython.final
cdef class Above:
    cdef _tags
    cdef bint _others
    cdef dict _known
    @cython.locals(passed=list, found=str)
    cpdef str tag(self, above)

cdef set _layouts(parts)
cdef bint _is_busy(holder)
@cython.locals(parts=list, rows=list)
cdef _write_table(table, Edits edits)
@cython.locals(written=list, cells=list, line=str)
cdef str _rows(list rows, bint headed)
@cython.locals(said=str)
cdef str _cell(cell)
@cython.locals(item=str)
cdef str _with_our_bullet(str line)
@cython.locals(parts=list, tags=list, lines=list, term=str, meaning=str)
cdef _write_definitions(block, Edits edits)
@cython.locals(said=str)
cdef _raise(raised, Edits edits)
cdef bint _has_strays(block, tuple tags=*)
@cython.locals(edits=Edits, said=str)
cpdef str body_text(body, gaps=*)
cdef bint _has_zero(str said)
@cython.locals(lines=list, line=str, mark=str, size="Py_ssize_t")
cdef str _trimmed(str said)
@cython.locals(parts=list, label=cython.bint, short=cython.bint, size="Py_ssize_t", part=str)
cpdef str tidied(str said)
