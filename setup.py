"""Compiles the kernels where that is possible; everything else about the package is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

KERNELS = sorted(Path("src/dehusk/kernels").glob("*.pxd"))


def kernels() -> list[Extension]:
    """The kernels as extensions that the install may go without: they run as plain Python too."""
    from Cython.Build import cythonize

    extensions = [Extension(f"dehusk.kernels.{types.stem}", [str(types.with_suffix(".py"))]) for types in KERNELS]
    directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "initializedcheck": False}
    built = cythonize(extensions, build_dir="build", compiler_directives={**directives, "annotation_typing": False})
    for extension in built:
        extension.optional = True  # cythonize forgets
    return built


setup(ext_modules=kernels(), options={"build_ext": {"parallel": True}})  # as many at once as there are cores
