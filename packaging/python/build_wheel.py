"""Builds wheels (PEP 517): setuptools packs the package, CMake compiles its module.

CMake is told what the environment variable CMAKE_ARGS holds. Where REPRISE_MODULE names a module that was compiled already, that
one is packed. There are no source distributions: what is compiled is the whole repository.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import Extension, build_meta, setup
from setuptools.build_meta import get_requires_for_build_wheel  # noqa: F401
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent.parent


def version() -> str:
    """The version of the project in CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(reprise VERSION (\S+)", text)
    if not found:
        raise RuntimeError("CMakeLists.txt has no version of the project")
    return found[1]


class BuildWithCMake(build_ext):
    """Compiles `reprise._core`, and nothing else, in the temporary folder of the build."""

    def build_extension(self, ext: Extension) -> None:
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        module = Path(os.environ.get("REPRISE_MODULE") or self.compiled())
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(module), str(target))

    def compiled(self) -> Path:
        build = (Path(self.build_temp) / "cmake").resolve()
        options = [
            "-DREPRISE_TESTS=OFF",
            "-DREPRISE_RECORDERS=OFF",
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DPython_EXECUTABLE={sys.executable}",
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]
        subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "reprise_python"], check=True)
        (module,) = (build / "python" / "reprise").glob("_core*.so")
        return module


def run_setup() -> None:
    setup(
        version=version(),
        packages=["reprise"],
        package_dir={"reprise": "src/python/reprise"},
        package_data={"reprise": ["py.typed", "*.pyi"]},
        ext_modules=[Extension("reprise._core", [])],
        cmdclass={"build_ext": BuildWithCMake},
    )


class Backend(build_meta._BuildMetaBackend):  # noqa: SLF001
    """setuptools' backend without a setup.py beside pyproject.toml."""

    def run_setup(self, setup_script: str = "setup.py") -> None:  # noqa: ARG002
        os.chdir(ROOT)
        run_setup()


_backend = Backend()


def build_wheel(folder: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    return _backend.build_wheel(folder, settings, metadata)


class UnsupportedOperation(Exception):
    """Tells frontends that there is no source distribution (PEP 517)."""


def build_sdist(folder: str, settings: dict[str, Any] | None = None) -> str:  # noqa: ARG001
    raise UnsupportedOperation("there are no source distributions; use the repository")


def prepare_metadata_for_build_wheel(folder: str, settings: dict[str, Any] | None = None) -> str:
    return _backend.prepare_metadata_for_build_wheel(folder, settings)
