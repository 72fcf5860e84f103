# C types for apart.py: see the docstring of this package.
cimport cython
from dehusk.kernels.blocks cimport is_new_word

@cython.final
cdef class Edits:
    cdef list _renamed, _added
    @cython.locals(old=str)
    cpdef bint rename(self, element, tag)
    cpdef append(self, element, text)
    cpdef insert(self, node, text)

@cython.locals(items=Above, heads=Above, links=Above, left_out=Above, strange=Above, tag=str, held=str, strays=cython.bint, lost=cython.bint, parted=set)
cpdef set_apart(inside, Edits edits, written)
cdef _part(above, Edits edits, set parted)

@cython.final
cdef class Above:
    cdef _tags
    cdef bint _others
    cdef dict _known
    @cython.locals(passed=list, found=str)
    cpdef str tag(self, above)

cdef bint runs_on(word)
