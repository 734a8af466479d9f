#!/usr/bin/env python3
"""What a program of `reprise generate --exact` has its compiler execute is C that compiles, without a warning.

As the C+MPI back end of coNCePTuaL does it: strings without their quotes and expressions, as real numbers, joined by
blanks, each statement a block of its own. The program is otherwise what it is without --exact, and `reprise run`
reads all of it and says where the first of these statements stands.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmark import launch, record, reprise

COMPILERS = {"openmpi": "mpicc.openmpi", "mpich": "mpicc.mpich"}
FLAGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-parameter", "-c", "-o", "/dev/null"]
PRELUDE = """#include <stdio.h>
#include <string.h>
#include <mpi.h>
typedef long long ncptl_int;
extern void *ncptl_malloc(ncptl_int bytes, ncptl_int alignment);
extern void ncptl_free(void *memory);
"""
STRING = r'"((?:[^"\\]|\\.)*)"'


def unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


def in_c(program: str) -> tuple[str, set[str]]:
    """All that the back end is given, and which functions of MPI it calls."""
    declared = re.findall(r"THE BACKEND DECLARES " + STRING, program)
    statements = re.findall(rf"BACKEND\s+EXECUTES?\s+((?:{STRING}|[^\"\n]+)(?:\s+AND\s+(?:{STRING}|\w+))*)", program)
    blocks = []
    for statement in statements:
        items = re.findall(rf"{STRING}|\b(?!AND\b)(\w+)\b", statement[0])
        blocks.append(" ".join(unquoted(text) if text else "(double)(7.0)" for text, _ in items))
    functions = [f"void executed_{i}(void);\nvoid executed_{i}(void)\n{{\n{{\n{b}\n}}\n}}\n" for i, b in enumerate(blocks)]
    called = set(re.findall(r"MPI_\w+(?=\()", " ".join(blocks)))
    return PRELUDE + "\n".join(map(unquoted, declared)) + "\n" + "\n".join(functions), called


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--calls", required=True, help="the functions of MPI that are called, with commas")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        trace, text, source = folder / "trace", folder / "exact.ncptl", folder / "exact.c"
        if not record(options, trace, options.program):
            return 1
        if not reprise(options, "generate", "--language", "conceptual", "--exact", str(trace), "-o", str(text)):
            return 1
        code, called = in_c(text.read_text())
        source.write_text(code)
        if called != set(options.calls.split(",")):
            print(f"called: {sorted(called)}\n{text.read_text()}", file=sys.stderr)
            return 1
        compiled = subprocess.run([COMPILERS[options.mpi], *FLAGS, str(source)], capture_output=True, text=True, check=False)
        if compiled.returncode:
            print(compiled.stderr, code, file=sys.stderr)
            return 1
        run = subprocess.run([options.reprise, "run", str(text)], capture_output=True, text=True, check=False)
        line = text.read_text().split("THE BACKEND DECLARES")[0].count("\n") + 1
        if run.returncode != 1 or f"exact.ncptl:{line}:1: " not in run.stderr:
            print(run.stdout, run.stderr, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
