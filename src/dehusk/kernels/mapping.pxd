# C types for mapping.py: see the docstring of this package.
cimport cython
from libc.stdint cimport int64_t, uint64_t

cdef int MATCH, DELETE, INSERT, REPLACE, MEMO_CELLS, MEMO_PAIRS, FRAME
cdef int64_t MATRIX_CELLS, UNSOLVED, PAIR
cdef uint64_t ONE, PAIRS, NIBBLES, BYTES

@cython.final
cdef class Mapper:
    cdef Py_ssize_t nodes1, nodes2
    cdef int[::1] label1, label2, subtree1, subtree2, size1, size2, first1, first2, child1, child2
    cdef unsigned long long[::1] mask1, mask2
    cdef int64_t replace, change, unit
    cdef dict known
    cdef long long[::1] frames, rows

    @cython.locals(x=cython.int, y=cython.int, k=cython.int, mates="int[::1]")
    cpdef object map(self)

    @cython.locals(a=int64_t, m=int64_t, b=int64_t, n=int64_t, k=int64_t,
                   pieces=int64_t)
    cdef object map_children(self, int x, int y, list work)

    @cython.locals(width="Py_ssize_t", i="Py_ssize_t", j="Py_ssize_t", x=cython.int, y=cython.int, done=cython.int,
                   op="unsigned char[::1]", cost="long long[::1]", remove=int64_t, diagonal=int64_t,
                   left=int64_t, above=int64_t, best=int64_t, other=int64_t)
    cdef object map_lists(self, int64_t a, int64_t m, int64_t b, int64_t n, list work)

    @cython.locals(same=int64_t, lost=int64_t, more=int64_t)
    cdef inline int64_t least(self, int x, int y) noexcept

    @cython.locals(answer=int64_t)
    cdef int64_t pair(self, int x, int y) except? -1

    @cython.locals(total=int64_t, outer=int64_t, a=int64_t, m=int64_t,
                   b=int64_t, n=int64_t, cells=int64_t, key=int64_t, f="Py_ssize_t",
                   frame="long long[::1]")
    cdef int64_t quick(self, int x, int y, Py_ssize_t top) except? -1

    @cython.locals(top="Py_ssize_t", start="Py_ssize_t", answer=int64_t, i="Py_ssize_t", j="Py_ssize_t",
                   diagonal=int64_t, left=int64_t, frame="long long[::1]", cost="long long[::1]",
                   f="Py_ssize_t", a=int64_t, m=int64_t, b=int64_t, width=int64_t,
                   waiting=cython.bint, x=cython.int, y=cython.int, remove=int64_t, above=int64_t,
                   best=int64_t, other=int64_t, key=int64_t)
    cdef int64_t solve(self) except? -1

    @cython.locals(f="Py_ssize_t", b=int64_t, width=int64_t, cost="long long[::1]", j="Py_ssize_t")
    cdef object open_row(self, Py_ssize_t top, Py_ssize_t start)

@cython.locals(nodes="Py_ssize_t", filled=cython.int, x=cython.int, y=cython.int, firsts="int[::1]",
               kids="int[::1]")
cpdef tuple children(int[::1] size)

@cython.locals(k="Py_ssize_t", copy="long long[::1]")
cdef object doubled(long long[::1] old)

@cython.locals(nodes="Py_ssize_t", x=cython.int, y=cython.int, seen=uint64_t, mask="unsigned long long[::1]")
cdef object masks(int[::1] label, int[::1] size)

cdef int64_t bits(uint64_t word) noexcept
