# A recipe for Spack: copy it to packages/reprise/package.py of a repository of recipes, or use
# `spack repo create`. The sources are those of the working tree with `spack dev-build reprise@0.1.0`.
from spack.package import *


class Reprise(CMakePackage):
    """Records MPI programs into small traces that read like the program, and shows, analyzes, replays, extrapolates
    and simulates them."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("python", default=True, description="Build the Python package")
    variant("otf2", default=True, description="Read and write OTF2 archives")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("mpi")
    depends_on("cli11@2.3:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("zstd libs=static,shared")
    depends_on("xxhash")
    depends_on("elfutils")
    depends_on("tomlplusplus")
    depends_on("zydis")
    depends_on("otf2", when="+otf2")

    extends("python", when="+python")
    depends_on("py-pybind11@2.10:", when="+python", type="build")
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("py-pandas", when="+python", type=("build", "run"))

    conflicts("%gcc@:11", msg="C++20 is needed")
    conflicts("platform=darwin")
    conflicts("platform=windows")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("REPRISE_TESTS", False),
            self.define_from_variant("REPRISE_PYTHON", "python"),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("REPRISE_PYTHON_DIR", python_platlib))
            args.append(self.define("Python_EXECUTABLE", python.path))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.reprise)("--version")
