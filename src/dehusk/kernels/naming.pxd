# C types for naming.py: see the docstring of this package.
cimport cython

@cython.locals(found=set)
cpdef str label(str tag, identity, classes, role)

@cython.locals(name=str, c=Py_UCS4)
cdef object add(set found, str mark, str names)

@cython.locals(parts=list, start="Py_ssize_t", k="Py_ssize_t", inside=cython.bint, digit=cython.bint)
cpdef str folded(str name)
