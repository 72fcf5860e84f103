# C types for forest.py: see the docstring of this package.
cimport cython
from libc.stdint cimport uint64_t

cdef int FREE, HIGH
cdef uint64_t SPREAD, PATHS, WORD

@cython.locals(nodes1="Py_ssize_t", nodes2="Py_ssize_t", mates="int[::1]", heads="int[::1]", following="int[::1]",
               taken="unsigned char[::1]", order="int[::1]", slots="Py_ssize_t", slot="Py_ssize_t", x=cython.int,
               y=cython.int, other=cython.int, k="Py_ssize_t", below=cython.int)
cpdef object map_forest(int[::1] subtree1, int[::1] path1, int[::1] size1, int[::1] parent1, int[::1] subtree2,
                        int[::1] path2)

@cython.locals(mixed=uint64_t)
cdef Py_ssize_t start(uint64_t subtree, uint64_t path, Py_ssize_t slots) noexcept

@cython.locals(nodes="Py_ssize_t", depth="int[::1]", first="int[::1]", order="int[::1]", node="Py_ssize_t",
               level="Py_ssize_t")
cpdef object level_order(int[::1] parent)
