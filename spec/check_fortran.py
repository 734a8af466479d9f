#!/usr/bin/env python3
"""Compares the Fortran side of mpi.spec with the mpi module of installed MPI implementations.

    check_fortran.py mpif90.openmpi mpif90.mpich

Each argument is a compiler command that finds an mpi module. It fails if a row's arguments, passed as its kinds say, do
not fit the interface in that module. Open MPI's module has an interface for every function; MPICH's has none for those
with choice buffers, of which nothing is learned here.
"""

from __future__ import annotations

import argparse
import shlex
import sys

from check_coverage import CompilerError, run
from table import Arg, Function, SpecError, Table, load

TYPES = {
    "address": "integer(MPI_ADDRESS_KIND)",
    "character": "character(80)",
    "choice": "real",
    "handle": "integer",
    "index": "integer",
    "integer": "integer",
    "logical": "logical",
    "offset": "integer(MPI_OFFSET_KIND)",
    "status": "integer",
}
# Of arguments whose C type is not the usual one of their kind.
C_TYPES = {"MPI_Count": "integer(MPI_COUNT_KIND)"}
RAW_TYPES = {"int*": "integer", "MPI_Count*": "integer(MPI_COUNT_KIND)", "MPI_Aint*": "integer(MPI_ADDRESS_KIND)", "MPI_Offset*": "integer(MPI_OFFSET_KIND)"}
# Interfaces that a module gets wrong: MPICH 4.0 has an INTEGER for the flag.
FAULTY = {"MPI_Parrived"}
# Arguments that are arrays in Fortran although their kinds are no lists of the table, or have more dimensions.
SHAPES = {
    "argv": "9",
    "argvs": "9,9",
    "errcodes": "9",
    "ranges": "3,9",
    "status": "MPI_STATUS_SIZE",
    "statuses": "MPI_STATUS_SIZE,9",
}


def declaration(function: Function, arg: Arg) -> str:
    kind = arg.kind
    if kind.fortran == "procedure":
        return f"external :: {arg.name}_"
    type_name = RAW_TYPES[arg.ctype] if kind.fortran == "raw" else TYPES[kind.fortran]
    type_name = C_TYPES.get(arg.ctype, type_name)
    if "removed" in function.traits and kind.fortran == "address":
        type_name = "integer"
    # MPI_Type_get_contents returns arrays through raw arguments, MPI_File_get_view a number.
    plural = kind.is_list or kind.fortran == "choice" or (kind.fortran == "raw" and "contents" in function.name)
    shape = SHAPES.get(kind.name, "9" if plural else "")
    return f"{type_name} :: {arg.name}_" + (f"({shape})" if shape else "")


def probe(table: Table) -> str:
    """A Fortran source that compiles only if the module agrees with the table; errors name lines of mpi.spec."""
    lines = ["module probe", "use mpi", "implicit none", "contains"]
    # Only mpi_f08 has those for large counts.
    for function in (f for f in table.functions.values() if not f.name.endswith("_c") and f.name not in FAULTY):
        actual = [f"{arg.name}_" for arg in function.fortran_args]
        declarations = [declaration(function, arg) for arg in function.fortran_args]
        if "variadic" not in function.traits:
            actual.append("ierror")
            declarations.append("integer :: ierror")
        call = [f"call {function.name}( &", *(f"{name}, &" for name in actual[:-1]), f"{actual[-1]})"]
        for line in [f"subroutine use_{function.name}()", *declarations, *call, "end subroutine"]:
            lines += [f'# {function.line} "{table.path}"', line]
    return "\n".join([*lines, "end module"]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the table of recorded functions with installed mpi modules.")
    parser.add_argument("compiler", nargs="+", help='a command such as mpif90 or "mpif90 -fFLAG"')
    failed = False
    try:
        source = probe(load())
        for compiler in parser.parse_args().compiler:
            result = run([*shlex.split(compiler), "-fsyntax-only"], source, "probe.f90")
            if result.returncode:
                print(f"{compiler}: the table disagrees with the mpi module:\n{result.stderr}", file=sys.stderr)
                failed = True
    except (SpecError, CompilerError) as error:
        print(error, file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
