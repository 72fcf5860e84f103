# C types for assignment.py: see the docstring of this package.
cimport cython
from libc.stdint cimport int64_t

cdef int64_t FAR

@cython.locals(u="long long[::1]", v="long long[::1]", reach="long long[::1]", owner="int[::1]", path="int[::1]",
               seen="unsigned char[::1]", found="int[::1]", i="Py_ssize_t", j="Py_ssize_t", i0="Py_ssize_t",
               j0="Py_ssize_t", j1="Py_ssize_t", delta=int64_t, cost=int64_t)
cpdef object assign(long long[::1] weight, Py_ssize_t rows, Py_ssize_t columns)
