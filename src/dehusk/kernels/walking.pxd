# C types for walking.py: see the docstring of this package.
cimport cython

@cython.locals(nodes=list, parents=list, tags=list, texts=list, links=list, top="Py_ssize_t", above=cython.int,
               here=cython.int, children="Py_ssize_t", to_come=list, places=list, text=str)
cpdef tuple walk(object root, frozenset not_content)

@cython.locals(spaced=cython.bint, k="Py_ssize_t", char="Py_UCS4")
cdef str _on_one_line(str text)

@cython.locals(size="int[::1]", node="Py_ssize_t")
cpdef object sizes(int[::1] parent)

@cython.locals(at="Py_ssize_t", last="Py_ssize_t", out="unsigned char[::1]", node="Py_ssize_t", below="Py_ssize_t")
cpdef Py_ssize_t flagged(list nodes, int[::1] size, chosen, bytearray flags)

@cython.locals(at="Py_ssize_t", last="Py_ssize_t", node="Py_ssize_t", label=str)
cpdef object labels(list nodes, list having, tuple names, list out)

@cython.locals(out="int[::1]", plain=dict, node="Py_ssize_t", alone=cython.bint, name=tuple)
cpdef object names(nodes, tags, dict index)
