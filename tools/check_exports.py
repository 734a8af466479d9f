#!/usr/bin/env python3
"""Checks that recorders show the program that they live in nothing but MPI's names and reprise_*.

    check_exports.py LIBRARY...

A recorder for --posix-io, whose name ends in -posix.so, also shows the functions of spec/posix.spec.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "spec"))
from table import load_all  # noqa: E402

# C, and Fortran as compilers decorate it: mpi_send_, mpi_send__, MPI_SEND, mpi_send_f08_, and ompi_send_f, which Open
# MPI's mpi_f08 calls.
ALLOWED = re.compile(r"P?MPI_\w+|p?mpi_\w+|ompi_\w+_f|reprise_\w+")
# What a recorder is for: without these it interposes nothing.
EXPECTED = {"MPI_Init", "MPI_Send", "PMPI_Send", "MPI_Finalize"}


def exported(library: str) -> set[str]:
    """The symbols that the library defines for others, without versions."""
    command = ["nm", "--dynamic", "--defined-only", "--extern-only", "--format=posix", library]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[0].partition("@")[0] for line in output.splitlines()}


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    failed = False
    posix = {name for f in load_all().functions.values() if f.is_posix for name in (f.name, *f.aliases)}
    for library in sys.argv[1:]:
        symbols = exported(library)
        own = posix if library.endswith("-posix.so") else set()
        strange = sorted(name for name in symbols if not ALLOWED.fullmatch(name) and name not in own)
        missing = sorted((EXPECTED | own) - symbols)
        for name in strange:
            print(f"{library} exports {name}, which the program may have too; hide it", file=sys.stderr)
        for name in missing:
            print(f"{library} does not export {name}", file=sys.stderr)
        print(f"{library}: {len(symbols)} symbols")
        failed = failed or bool(strange or missing)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
