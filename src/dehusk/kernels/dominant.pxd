# C types for dominant.py: see the docstring of this package.
cimport cython

@cython.locals(nodes="Py_ssize_t", x="Py_ssize_t", place="int[::1]", depth="int[::1]")
cpdef object consolidated(int[::1] parent, int[::1] size)

@cython.locals(order="int[::1]", place="int[::1]", filled="Py_ssize_t", k="Py_ssize_t", x="Py_ssize_t")
cpdef object extended(int[::1] parent, int[::1] size)

@cython.locals(one="int[::1]", two="int[::1]", number="int[::1]", highest=cython.int, count=cython.int, x="Py_ssize_t",
               y="Py_ssize_t")
cpdef tuple shared_labels(object label1, object label2)

@cython.locals(nodes="int[::1]", labels="int[::1]", filled="Py_ssize_t", k="Py_ssize_t", x="Py_ssize_t")
cpdef tuple keep_shared(int[::1] sequence, int[::1] label)

@cython.final
cdef class Matches:
    cdef int[::1] label, starts, places, begins, head_below, tail_below, head_above, i, j, next
    cdef Py_ssize_t labels, length1, length2, width
    cdef readonly int classes, count, looks

    @cython.locals(base="Py_ssize_t", begin="Py_ssize_t", k="Py_ssize_t", s="Py_ssize_t")
    cdef object list_places(self, Py_ssize_t side, Py_ssize_t length)

    @cython.locals(k="Py_ssize_t", t="Py_ssize_t")
    cpdef bint find(self, int most) except -1

    @cython.locals(met="int[::1]", i="Py_ssize_t", s="Py_ssize_t", here="Py_ssize_t", j=cython.int, k="Py_ssize_t")
    cpdef object find_few(self)

    @cython.locals(base="Py_ssize_t", s="Py_ssize_t", end="Py_ssize_t", here="Py_ssize_t", before=cython.int)
    cdef object settle(self, Py_ssize_t side, Py_ssize_t t, Py_ssize_t k, int place)

    @cython.locals(e=cython.int)
    cdef object add_above(self, Py_ssize_t k, int i, int j)

    @cython.locals(e=cython.int)
    cdef object add_below(self, Py_ssize_t k, int i, int j)

    @cython.locals(e=cython.int)
    cdef int add(self, Py_ssize_t k, int i, int j) except -1

    cdef inline int head(self, Py_ssize_t k) noexcept

    cdef inline int following(self, int e, Py_ssize_t k) noexcept

    @cython.locals(k=cython.int, e=cython.int)
    cpdef list dominant(self)

    @cython.locals(s="Py_ssize_t", here="Py_ssize_t")
    cpdef int previous(self, Py_ssize_t side, Py_ssize_t label, int place) noexcept

@cython.final
cdef class TemplateMatches:
    cdef readonly Matches matches
    cdef int[::1] first, parent1, second, parent2, mate1, mate2, bound1, bound2, taken_places
    cdef object mates
    cdef readonly object bounds1, bounds2
    cdef int bottom, right, other_i, other_j, steps

    @cython.locals(k=cython.int, e=cython.int)
    cpdef object identify(self)

    @cython.locals(e=cython.int, i=cython.int, j=cython.int)
    cdef object take_one(self, int k)

    @cython.locals(x=cython.int, y=cython.int)
    cdef inline bint fits(self, int i, int j) noexcept

    @cython.locals(x=cython.int, y=cython.int, place=cython.int)
    cdef object seek(self, int i, int j)

    @cython.locals(x=cython.int, y=cython.int, label=cython.int)
    cdef object visit(self, int i, int j)

    cpdef list taken(self)

@cython.locals(middle="Py_ssize_t")
cdef inline Py_ssize_t closest(int[::1] places, Py_ssize_t begin, Py_ssize_t end, int place) noexcept

@cython.locals(k="Py_ssize_t", copy="int[::1]")
cdef object doubled(int[::1] old)
