# C types for frontier.py: see the docstring of this package.
cimport cython

@cython.final
cdef class RegionPlace:
    cdef public object own
    cdef public int number
    cdef public double likely, repeated
    cdef public bint whole, in_link, stay
    cdef public dict below

@cython.final
cdef class Gone:
    cdef public object node
    cdef public int region
    cdef public double likely

@cython.final
cdef class Frontier:
    cdef readonly RegionPlace root
    cdef double cut
    cdef object known, name, judge
    cdef dict reads
    cdef readonly dict labels
    cdef tuple unread

    @cython.locals(gone=list, met=set, cut=double, above=list, place=RegionPlace, known=RegionPlace, first="Py_ssize_t",
                   kept=cython.bint, stays=cython.bint, number=cython.int, likely=double, names=tuple)
    cpdef tuple walk(self, body)

    @cython.locals(key=tuple)
    cdef object label(self, node, tag, tuple names)

    cdef tuple unknown(self, node, RegionPlace place)

    @cython.locals(result=list, index="Py_ssize_t", one=Gone, with_it=list)
    cpdef list with_headings(self, body, list gone)

    @cython.locals(section=Section)
    cdef bint headless(self, Gone one, heading, list gone, Py_ssize_t end)


@cython.final
cdef class Section:
    cdef readonly Py_ssize_t kept, lost, end
    cdef readonly bint last


cdef Py_ssize_t in_links(node) except -1

cdef bint shows(node)

cdef bint ends_section(node, tag)

cdef bint within(node, around)


cdef object only_heading(node)

cdef object kept_before(node, gone)

cdef str said(node)

cdef str text_of(node)

cdef bint is_word(node)
