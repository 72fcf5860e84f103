# C types for sums.py: see the docstring of this package.
cimport cython

cdef int _SUMS, _WIDTH, _PLAIN, _SAME_PAGE, _LINK_AGAIN

@cython.locals(count="Py_ssize_t", out="double[::1]", whole=double, own=double, begin=double, k="Py_ssize_t",
               size=double, before=double, at="Py_ssize_t", scan="Py_ssize_t", middle=double, long=double, far=double,
               j="Py_ssize_t")
cpdef object weighed(double[::1] numbers, unsigned char[::1] link, double[::1] elsewhere, double[::1] in_slot,
                     unsigned char[::1] apart, int title, double long_text)
