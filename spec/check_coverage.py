#!/usr/bin/env python3
"""Compares mpi.spec and excluded.txt with the mpi.h of installed MPI implementations.

    check_coverage.py mpicc.openmpi mpicc.mpich "smpicc -DFLAG"

Each argument is a compiler command that finds an mpi.h. It fails if that header declares a function that is neither
recorded nor excluded, lacks a constant that the table names, declares a function otherwise than its row does, or predefines a datatype or an
operation that predefined.txt lacks.
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from table import IMPLEMENTATIONS, PREDEFINED, SpecError, Table, load, load_excluded

_ATTRIBUTE = re.compile(r"__attribute__\s*(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))")
_DECLARATION = re.compile(r"\s*(?!typedef\b)\w[\w\s*]*\b(MPI_\w+)\s*\((.*)\)\s*$", re.DOTALL)
# A handle as mpi.h casts it: (MPI_Datatype)0x4c000101, ((MPI_Op)&smpi_MPI_MAX), OMPI_PREDEFINED_GLOBAL(MPI_Op, ...).
_PREDEFINES = re.compile(r"\(\s*MPI_(Datatype|Op)\s*[),]")


class CompilerError(Exception):
    """A compiler that cannot be run, or cannot compile what it should."""


@dataclass(frozen=True)
class Header:
    implementation: str  # one of IMPLEMENTATIONS
    functions: frozenset[str]  # MPI_ functions that it declares, without those that are only macros
    parameters: dict[str, str]  # of each of them, as it writes them
    macros: dict[str, str]  # what it defines, and as what
    integers: frozenset[str]  # those that return int


def run(command: list[str], source: str, file_name: str = "probe.c") -> subprocess.CompletedProcess[str]:
    """Gives a source text to a compiler command."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file_name
        path.write_text(source, encoding="utf-8")
        try:
            return subprocess.run([*command, str(path)], capture_output=True, text=True, check=False, cwd=folder)
        except OSError as error:
            raise CompilerError(f"cannot run {command[0]} ({error.strerror})") from error


def read_header(compiler: list[str]) -> Header:
    """What the compiler's mpi.h declares. Raises CompilerError."""
    result = run([*compiler, "-E", "-dD"], "#include <mpi.h>\n")
    if result.returncode:
        raise CompilerError(f"cannot preprocess mpi.h:\n{result.stderr}")
    macros = dict(re.findall(r"^#define (\w+)(?:[ \t]+(.*))?$", result.stdout, re.MULTILINE))
    implementation = next((name for name, macro in IMPLEMENTATIONS.items() if macro in macros), None)
    if not implementation:
        raise CompilerError(f"unknown implementation (its mpi.h defines none of {' '.join(IMPLEMENTATIONS.values())})")
    text = _ATTRIBUTE.sub("", re.sub(r"^#.*$", "", result.stdout, flags=re.MULTILINE))
    declarations = filter(None, map(_DECLARATION.match, re.split("[;{}]", text)))
    found = {match[1]: match for match in declarations}
    parameters = {name: " ".join(match[2].split()) for name, match in found.items()}
    integers = frozenset(name for name, match in found.items() if re.match(r"\s*(extern\s+)?int\s+MPI_", match[0]))
    return Header(implementation, frozenset(parameters), parameters, macros, integers)


def shared_library(compiler: list[str], name: str) -> set[str]:
    """The functions of a shared library where the compiler finds it. Raises CompilerError."""
    try:
        path = subprocess.run([*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise CompilerError(f"cannot list the functions of {name} ({error})") from error
    words = [line.split() for line in listed.splitlines()]
    return {w[2].partition("@")[0] for w in words if w[1] in "TW"}


def probe(table: Table, header: Header) -> str:
    """A C source that compiles only if the header agrees with the table; its lines bear their numbers in mpi.spec."""
    lines = ["#include <mpi.h>"]
    sentinels = {name for kind in table.kinds.values() for name in kind.sentinels}
    constants = {name for family in table.families.values() for name in family.constants}
    lines += [f"void use_{name}(void) {{ (void)({name}); }}" for name in sorted(sentinels | constants)]
    for function in table.functions.values():
        if function.name in header.functions:
            lines.append(f'#line {function.line} "{table.path}"')
            # In parentheses: a macro of the same name is not meant.
            lines.append(f"{function.prototype(header.implementation, f'({function.name})')};")
    return "\n".join(lines) + "\n"


def unknown_handles(header: Header) -> list[str]:
    """Datatypes and operations that the header predefines and predefined.txt does not."""
    lines = PREDEFINED.read_text(encoding="utf-8").splitlines()
    known = {words[1] for words in map(str.split, lines) if words and words[0] in ("datatype", "op")}
    return sorted(name for name, value in header.macros.items() if _PREDEFINES.search(value) and name not in known)


def check(table: Table, excluded: dict[str, str], compiler: list[str]) -> list[str]:
    """What is wrong, a text each. Raises CompilerError."""
    header = read_header(compiler)
    wrong = [
        f"{name} is declared but unknown; give it a row in mpi.spec or a reason in excluded.txt"
        for name in sorted(header.functions - table.functions.keys())
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in excluded)
    ]
    wrong += [f"{name} is predefined but unknown; append it to predefined.txt" for name in unknown_handles(header)]
    result = run([*compiler, "-fsyntax-only", "-w"], probe(table, header))
    if result.returncode:
        wrong.append(f"the table disagrees with mpi.h:\n{result.stderr}")
    recorded = len(header.functions & table.functions.keys())
    print(f"{shlex.join(compiler)}: {header.implementation}, {len(header.functions)} functions, {recorded} recorded")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the table of recorded functions with installed mpi.h files.")
    parser.add_argument("compiler", nargs="+", help='a command such as mpicc or "mpicc -DFLAG"')
    options = parser.parse_args()
    failed = False
    try:
        table = load()
        excluded = load_excluded(table)
        for compiler in options.compiler:
            for text in check(table, excluded, shlex.split(compiler)):
                print(f"{compiler}: {text}", file=sys.stderr)
                failed = True
    except (SpecError, CompilerError) as error:
        print(error, file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
