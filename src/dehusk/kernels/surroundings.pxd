cimport cython

# C types for overview.py: see the docstring of this package.

cdef int FIRST
cdef double SURE

@cython.locals(out="double[::1]", letters=double, mass=double, sure=double, prose_outside=double, likely_outside=double,
               prose_inside=double, mass_inside=double, k="Py_ssize_t", own=double, kind="Py_ssize_t", some=double,
               some_mass=double)
cpdef object overview(double[::1] sizes, double[::1] texts, double[::1] likely, int[::1] bits,
                      const unsigned char[::1] inside, double long_text, int kinds, double best)

# C types for surroundings.py: see the docstring of this package.

cdef int WIDTH
cdef double NEAR, FAR, EDGE, nan

@cython.locals(count="Py_ssize_t", out="double[::1]", whole=double, mass=double, most=double, doubt=double,
               kinds=cython.int, some=double, some_mass=double, below="double[::1]", likely_below="double[::1]",
               tag_size="double[::1]", tag_mass="double[::1]", letters="double[::1]", masses="double[::1]", start=double,
               end=double, begun=cython.bint, over=cython.bint, i="Py_ssize_t", j="Py_ssize_t", k="Py_ssize_t",
               r="Py_ssize_t", at="Py_ssize_t", middle=double, near_from="Py_ssize_t", far_from="Py_ssize_t",
               near_to="Py_ssize_t", far_to="Py_ssize_t", up="Py_ssize_t", grand="Py_ssize_t", great="Py_ssize_t",
               beside=double)
cpdef object surroundings(int[::1] parent, int[::1] regions, double[::1] sizes, double[::1] likely, int[::1] tags,
                          int[::1] order, int[::1] ranks, double best)

@cython.locals(size=double)
cdef double mean(double[::1] masses, double[::1] letters, Py_ssize_t begin, Py_ssize_t end)

@cython.locals(kept=double, right=double, best=double, k="Py_ssize_t", likely=double, size=double)
cpdef double best_f1(list regions, double gold)
