# C types for forest.py: see the docstring of this package.
cimport cython

@cython.locals(out="double[::1]", trees="Py_ssize_t", shared=cython.int, width="Py_ssize_t", i="Py_ssize_t",
               tree="Py_ssize_t", node=cython.int, value=double)
cpdef object sums(double base, int[::1] first, int[::1] feature, double[::1] threshold, int[::1] low,
                  int[::1] high, int[::1] unknown, double[::1] site, double[::1] rows, Py_ssize_t height)
