# C types for overview.py: see the docstring of this package.
cimport cython

cdef int FIRST
cdef double SURE

@cython.locals(out="double[::1]", letters=double, mass=double, sure=double, prose_outside=double, likely_outside=double,
               prose_inside=double, mass_inside=double, k="Py_ssize_t", own=double, kind="Py_ssize_t", some=double,
               some_mass=double)
cpdef object overview(double[::1] sizes, double[::1] texts, double[::1] likely, int[::1] bits,
                      const unsigned char[::1] inside, double long_text, int kinds, double best)
