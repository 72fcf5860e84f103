# C types for places.py: see the docstring of this package.
cimport cython

cdef unsigned int _STYLE, _STYLES

@cython.locals(size="Py_ssize_t", at="int[::1]", style="unsigned int[::1]", node="Py_ssize_t", over=cython.int,
               region=cython.int)
cpdef tuple placed(int[::1] parent, list labels, dict index, object above)

@cython.locals(seen="int[::1]", node="Py_ssize_t", region="Py_ssize_t")
cpdef object counted(int[::1] at, list labels, double[::1] places, double[::1] pages, double[::1] squares)

@cython.locals(mark="int[::1]", total="double[::1]", node="Py_ssize_t")
cpdef tuple held(int[::1] parent, object marks, object sizes)

@cython.locals(node="Py_ssize_t", start="Py_ssize_t", mark=cython.int, k="Py_ssize_t")
cpdef object tally(int[::1] at, list labels, int[::1] bits, double[::1] totals, double[::1] table, Py_ssize_t width)

@cython.locals(row="Py_ssize_t", start="Py_ssize_t", k="Py_ssize_t")
cpdef object added(double[::1] rows, Py_ssize_t width, int[::1] at, double[::1] table)

@cython.locals(out="double[::1]", size="Py_ssize_t", start="Py_ssize_t", end="Py_ssize_t", region=cython.int,
               run="Py_ssize_t", whole="Py_ssize_t", kinds="Py_ssize_t", total=double)
cpdef object entropies(int[::1] regions, int[::1] values, Py_ssize_t count)

@cython.locals(found=list, node="Py_ssize_t", over=cython.int)
cpdef list links(int[::1] parent, tags, targets)
