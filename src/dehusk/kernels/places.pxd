# C types for places.py: see the docstring of this package.
cimport cython

cdef unsigned int _STYLE, _STYLES
cdef int _VALUE_BITS

@cython.locals(size="Py_ssize_t", at="int[::1]", style="unsigned int[::1]", node="Py_ssize_t", over=cython.int,
               region=cython.int, label=cython.int, key="long long")
cpdef tuple placed(int[::1] parent, int[::1] named, int[::1] of_name, dict index, object above, object labels)

@cython.locals(out="unsigned char[::1]", k="Py_ssize_t")
cpdef object with_bit(int[::1] bits, int bit)

@cython.locals(out="int[::1]", in_code="unsigned char[::1]", region="Py_ssize_t", over=cython.int)
cpdef object hinted(int[::1] parent, int[::1] hints, int[::1] kinds, int code, int inline, int comments)

@cython.locals(out="unsigned char[::1]", region="Py_ssize_t", over=cython.int)
cpdef object inside(int[::1] parent, int[::1] hints, int bit, unsigned char[::1] but)

@cython.locals(seen="int[::1]", node="Py_ssize_t", region="Py_ssize_t")
cpdef object counted(int[::1] at, int[::1] named, double[::1] places, double[::1] pages, double[::1] squares)

@cython.locals(size="Py_ssize_t", number="int[::1]", region="int[::1]", found=list, around=list, links=list,
               count="Py_ssize_t", node="Py_ssize_t", over=cython.int, text=str)
cpdef tuple texts(int[::1] parent, int[::1] at, list tags, list said, list targets)

@cython.locals(mark="int[::1]", total="double[::1]", node="Py_ssize_t", k="Py_ssize_t")
cpdef tuple held(int[::1] parent, int[::1] at, int[::1] named, int[::1] shows, int[::1] texts, int[::1] marks,
                 double[::1] sizes)

@cython.locals(node="Py_ssize_t", start="Py_ssize_t", mark=cython.int, k="Py_ssize_t")
cpdef object tally(int[::1] at, int[::1] named, int[::1] bits, double[::1] totals, double[::1] table, Py_ssize_t width)

@cython.locals(row="Py_ssize_t", start="Py_ssize_t", k="Py_ssize_t")
cpdef object added(double[::1] rows, Py_ssize_t width, int[::1] at, double[::1] table)

@cython.locals(node="Py_ssize_t", key="long long")
cpdef object styled(int[::1] at, int[::1] named, unsigned int[::1] styles, unsigned char[::1] flags,
                    double[::1] places, dict seen)

@cython.locals(entropy="double[::1]", different="double[::1]", total="double[::1]", whole="double[::1]",
               key="long long", region="Py_ssize_t", run="Py_ssize_t", most=double)
cpdef tuple entropies(dict seen, Py_ssize_t count)
