cimport cython

# C types for forest.py: see the docstring of this package.

@cython.locals(out="double[::1]", trees="Py_ssize_t", shared=cython.int, width="Py_ssize_t", i="Py_ssize_t",
               tree="Py_ssize_t", node=cython.int, value=double)
cpdef object sums(double base, int[::1] first, int[::1] feature, double[::1] threshold, int[::1] low,
                  int[::1] high, int[::1] unknown, double[::1] site, double[::1] rows, Py_ssize_t height)

# C types for columns.py: see the docstring of this package.

cdef double nan, FARTHEST

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t", total=double)
cpdef object likelihoods(double[::1] totals)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object over(double[::1] part, double[::1] whole)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object shares(double[::1] part, double[::1] whole)

@cython.locals(height="Py_ssize_t", found=list, out="double[::1]", i="Py_ssize_t", j="Py_ssize_t")
cpdef list split(double[::1] table, Py_ssize_t width)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object depths(int[::1] parent)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object chosen(double[::1] column, int[::1] places, double none)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object rises(double[::1] column, int[::1] places, double none)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object with_below(object column, int[::1] parent)

@cython.locals(out="double[::1]", k="Py_ssize_t", to="Py_ssize_t", at="Py_ssize_t", j="Py_ssize_t")
cpdef object rows_with_below(object table, Py_ssize_t width, int[::1] parent)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object most_above(double[::1] column, int[::1] parent, double root)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object least_above(double[::1] column, int[::1] parent, double root)

@cython.locals(size="Py_ssize_t", found=list, out="double[::1]", j="Py_ssize_t", bit=cython.int, k="Py_ssize_t", above=double)
cpdef list steps_up(int[::1] bits, Py_ssize_t count, int[::1] parent, double far)

@cython.locals(width="Py_ssize_t", height="Py_ssize_t", out="double[::1]", part="double[::1]", whole="double[::1]",
               place="int[::1]", i="Py_ssize_t", j="Py_ssize_t", at=cython.int)
cpdef object table(list columns, list places, double[::1] none)

@cython.locals(size="Py_ssize_t", out="int[::1]", count="Py_ssize_t", k="Py_ssize_t")
cpdef object nonzero(double[::1] column)

@cython.locals(best=cython.int, k="Py_ssize_t")
cpdef int narrowed(int[::1] parent, double[::1] column, double share, double[::1] places, double[::1] pages,
                   double most_places)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object means(double[::1] column, int[::1] places, double count)

@cython.locals(size="Py_ssize_t", out="int[::1]", k="Py_ssize_t")
cpdef object innermost(unsigned char[::1] flags, int[::1] parent)

@cython.locals(size="Py_ssize_t", out="int[::1]", k="Py_ssize_t", over=cython.int)
cpdef object outermost(unsigned char[::1] flags, int[::1] parent)

@cython.locals(size="Py_ssize_t", out="int[::1]", k="Py_ssize_t", over=cython.int)
cpdef object further(int[::1] around, int[::1] blocks, int[::1] parent)

@cython.locals(size="Py_ssize_t", out="int[::1]", k="Py_ssize_t")
cpdef object picked(int[::1] numbers, int[::1] places)

@cython.locals(size="Py_ssize_t", out="double[::1]", k="Py_ssize_t")
cpdef object variations(double[::1] squares, double[::1] means)

@cython.locals(size="Py_ssize_t", flags="unsigned char[::1]", many="int[::1]", k="Py_ssize_t")
cpdef object with_parts(unsigned char[::1] blocks, double[::1] direct, double[::1] below, int[::1] parent)

@cython.locals(out="unsigned char[::1]", k="Py_ssize_t")
cpdef object repeated(unsigned char[::1] flags, double[::1] places, double[::1] pages)

@cython.locals(height="Py_ssize_t", out="double[::1]", at="Py_ssize_t", i="Py_ssize_t", j="Py_ssize_t")
cpdef object beside(double[::1] left, Py_ssize_t width, double[::1] right, Py_ssize_t more)
