"""Compiles the kernels where that is possible; everything else about the package is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNELS = sorted(Path("src/dehusk/kernels").glob("*.pxd"))
SHARED = "dehusk.kernels._shared"
"""What Cython adds to every kernel, compiled once."""
VECTORS = {"dehusk.kernels.starts": ("-ftree-vectorize", "-fvect-cost-model=dynamic")}
"""Flags of the kernel that reads all bytes of a page: with them, it reads sixteen at once."""
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "annotation_typing": False,
}


def kernels() -> list[Extension]:
    """The kernels as extensions that the install may go without: they run as plain Python too."""
    import Cython
    from Cython.Build import cythonize

    extensions = [Extension(f"dehusk.kernels.{types.stem}", [str(types.with_suffix(".py"))]) for types in KERNELS]
    built = cythonize(
        [*extensions, Extension(SHARED, [f"src/{SHARED.replace('.', '/')}.c"])],
        build_dir=f"build/cython-{Cython.__version__}",  # C of two versions does not share code
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
    )
    for extension in built:
        extension.optional = True  # cythonize forgets
    return built


class BuildKernels(build_ext):
    """Compiles with less work than Python's own flags ask for; decision 26 has the figures."""

    def build_extensions(self) -> None:
        """Adds flags where the compiler knows them, and leaves no kernel that cannot be imported."""
        for extension in self.extensions:
            if self.compiler.compiler_type == "unix":  # gcc and clang
                extension.extra_compile_args += ["-O2", "-g0", *VECTORS.get(extension.name, ())]
                extension.extra_link_args += ["-Wl,--strip-all"] if sys.platform == "linux" else []
        super().build_extensions()
        if not Path(self.get_ext_fullpath(SHARED)).exists():  # kernels that were compiled cannot be imported without it
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)


setup(
    ext_modules=kernels(),
    cmdclass={"build_ext": BuildKernels},
    options={"build_ext": {"parallel": True}},  # as many at once as there are cores
)
