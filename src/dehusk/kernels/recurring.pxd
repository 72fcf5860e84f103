cimport cython

# C types for naming.py: see the docstring of this package.

cdef Py_UCS4 _BEYOND_ASCII

@cython.locals(found=list, k="Py_ssize_t")
cpdef str label(str tag, identity, classes, role)

@cython.locals(name=str, c=Py_UCS4, spaced=cython.bint)
cdef object add(list found, str mark, str names)

@cython.locals(every=list, count="Py_ssize_t", kept=list, k="Py_ssize_t")
cpdef str of_known(str label, frozenset known)

@cython.locals(data=bytes, written=bytearray, chars="const unsigned char *", out="unsigned char *", size="Py_ssize_t",
               parts=list, start="Py_ssize_t", k="Py_ssize_t", inside=cython.bint, digit=cython.bint)
cpdef str folded(str name)

# C types for recurring.py: see the docstring of this package.

cdef int _VALUE_BITS, _SUMS, _WIDTH, _PLAIN, _LINK, _SAME_PAGE, _LINK_AGAIN

@cython.locals(out="unsigned int[::1]", k="Py_ssize_t")
cpdef object numbered(list texts, dict index)

@cython.locals(out="unsigned int[::1]", k="Py_ssize_t", key="long long")
cpdef object paired(int[::1] regions, unsigned int[::1] keys, dict index)

@cython.locals(many="int[::1]", last="int[::1]", page="Py_ssize_t", keys="unsigned int[::1]", k="Py_ssize_t",
               found=list, others=double, out="double[::1]")
cpdef list elsewhere(list pages, Py_ssize_t count)

@cython.locals(out="int[::1]", page="Py_ssize_t", keys="unsigned int[::1]", k="Py_ssize_t")
cpdef object tallied(list pages, Py_ssize_t count)

@cython.locals(out="unsigned char[::1]", k="Py_ssize_t", link=str)
cpdef object standing(list links, dict pages)

@cython.locals(count="Py_ssize_t", out="int[::1]", k="Py_ssize_t")
cpdef object marks(double[::1] numbers, double long_text, int long, int dated)

@cython.locals(found=set, node="Py_ssize_t", inner=cython.int, middle=cython.int, outer=cython.int, text=str)
cpdef set sayings(int[::1] parent, tags, texts, Py_ssize_t length)

@cython.locals(count="Py_ssize_t", out="double[::1]", whole=double, own=double, begin=double, k="Py_ssize_t",
               size=double, before=double, at="Py_ssize_t", scan="Py_ssize_t", middle=double, long=double, far=double,
               j="Py_ssize_t")
cpdef object weighed(double[::1] numbers, unsigned char[::1] link, double[::1] elsewhere, double[::1] in_slot,
                     unsigned char[::1] apart, int title, double long_text)
