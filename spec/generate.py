#!/usr/bin/env python3
"""Writes the code that follows from mpi.spec.

    generate.py functions                       the table of functions and their columns in a trace
    generate.py wrappers --cc "mpicc.openmpi"   the C functions that the recorder puts before an MPI library

Prints to standard output. How an argument becomes columns is said once, in `columns_of`.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import dataclass

from check_coverage import CompilerError, read_header
from table import HERE, Arg, Function, Length, SpecError, Table, load

RANKS = {"dest", "source", "root", "rank", "target"}
BUFFERS = {"sendbuf", "recvbuf", "sendrecvbuf", "base"}
NUMBERS = {"count", "int", "aint", "offset", "disp"}
HANDLES = {"comm", "group", "datatype", "op", "win", "file"}
HANDLE_KINDS = {"win": "window"}
NUMBER_LISTS = {"counts", "displs", "ints", "aints", "ranges", "weights", "bools", "enums"}


@dataclass(frozen=True)
class Column:
    """A column of a call in a trace; `kind` is one of trace::Kind."""

    name: str
    kind: str
    is_list: bool = False


def handle_kind(kind: str, prefix: str) -> str:
    """The trace::Kind of a handle that is created or given back."""
    name = kind.removeprefix(prefix)
    return {"type": "datatype", "win": "window"}.get(name, name)


def columns_of(function: Function, arg: Arg) -> list[Column]:
    """The columns that an argument has in a trace: none, if it says nothing about what the call does."""
    kind, name = arg.kind.name, arg.name
    some = any(other.kind.name == "indices" for other in function.args)
    if kind in BUFFERS:
        return [Column(name, "buffer")]
    if kind in RANKS:
        return [Column(name, "peer")]
    if kind in NUMBERS or kind in ("enum", "flags"):
        return [Column(name, "count" if kind == "count" else "integer")]
    if kind == "length":
        gives = any(other.length and other.length.arg == name and columns_of(function, other) for other in function.args)
        return [] if gives else [Column(name, "integer")]
    if kind in ("tag", "color"):
        return [Column(name, kind)]
    if kind == "bool":
        return [Column(name, "boolean")]
    if kind in HANDLES:
        return [Column(name, HANDLE_KINDS.get(kind, kind))]
    if kind in ("committype", "message", "newmessage"):
        return [Column(name, "datatype" if kind == "committype" else "message")]
    if kind in NUMBER_LISTS:
        return [Column(name, "integer", is_list=True)]
    if kind in ("ranks", "datatypes"):
        return [Column(name, {"ranks": "peer", "datatypes": "datatype"}[kind], is_list=True)]
    if kind == "string":
        return [Column(name, "character", is_list=True)]
    if kind in ("newcomm", "newwin"):
        return [Column(name, handle_kind(kind, "new")), Column(f"{name}_rank", "integer"), Column(f"{name}_size", "integer")]
    if kind == "newtype":
        return [Column(name, "datatype"), Column(f"{name}_size", "bytes")]
    if kind in ("newgroup", "newop", "newfile"):
        return [Column(name, handle_kind(kind, "new"))]
    if kind == "freerequest":
        return [Column(name, "request")]
    if kind.startswith("free"):
        return [Column(name, handle_kind(kind, "free"))]
    if kind in ("request", "waitrequest", "startrequest", "cancelrequest"):
        return [Column(name, "request")]
    if kind in ("waitrequests", "startrequests"):
        return [Column(name, "request", is_list=True)]
    if kind in ("index", "indices"):
        return [Column("index", "integer")]
    if kind in ("status", "statuses") and "io" not in function.traits:
        is_list = kind == "statuses" and not some
        return [Column("matched_source", "matched", is_list), Column("matched_tag", "tag", is_list)]
    return []


def all_columns(function: Function) -> list[Column]:
    """In the order in which they are captured: what goes into a call, then what comes out of it."""
    ordered = function.captured("in", "inout") + function.captured("out")
    return [Column("polls", "polls")] + [c for arg in ordered for c in columns_of(function, arg)]


def communicator(function: Function, scalars: list[Column]) -> int:
    """The scalar that says what the ranks of the row are ranks of."""
    for wanted in ("window", "comm"):
        for i, column in enumerate(scalars):
            if column.kind == wanted and not any(arg.kind.name.startswith("new") and arg.name == column.name for arg in function.args):
                return i
    return -1


def print_functions(table: Table) -> None:
    functions = sorted(table.functions.values(), key=lambda f: f.name)
    for f in functions:
        for is_list in (False, True):
            columns = [c for c in all_columns(f) if c.is_list == is_list]
            if columns:
                body = ", ".join(f'{{"{c.name}", Kind::{c.kind}}}' for c in columns)
                print(f"constexpr Column {f.name}_{'lists' if is_list else 'scalars'}[] = {{{body}}};")
    print("\nconstexpr Function kFunctions[] = {")
    for f in functions:
        scalars = [c for c in all_columns(f) if not c.is_list]
        has_lists = any(c.is_list for c in all_columns(f))
        traits = " | ".join(f"traits::k{t.title().replace('-', '')}" for t in sorted(f.traits))
        print(f'    {{"{f.name}", {f.name}_scalars, {f.name + "_lists" if has_lists else "{}"}, {communicator(f, scalars)}, {traits}}},')
    print("};")


def print_traits(table: Table) -> None:
    for i, name in enumerate(table.traits):
        print(f"inline constexpr std::uint32_t k{name.title().replace('-', '')} = 1u << {i};")


def length_of(function: Function, length: Length) -> str:
    """The C++ expression for the length of a list."""
    if not length.property:
        of = function.arg(length.arg)
        return f"*{length.arg}" if of.kind.name == "outcount" else length.arg
    if length.property in ("last", "sum"):
        inner = function.arg(length.arg).length
        assert inner
        return f"call.{length.property}({length.arg}, {length_of(function, inner)})"
    return f"call.{length.property}({length.arg})"


def list_length(function: Function, arg: Arg) -> str:
    assert arg.length
    if arg.length.property == "" and function.arg(arg.length.arg).kind.name == "comm":
        return f"call.remote_size({arg.length.arg})"
    if arg.length.property == "local":
        return f"call.local_size({arg.length.arg})"
    if arg.length.property in ("indegree", "outdegree", "ndims"):
        return f"call.{arg.length.property}({arg.length.arg})"
    return length_of(function, arg.length)


def significance(function: Function, arg: Arg) -> str:
    """When the argument may be read, as a C++ condition; empty: always."""
    conditions = []
    if arg.where:
        comm = next(a.name for a in function.args if a.kind.name == "comm")
        root = "root" if arg.where == "leaf" else arg.where
        conditions.append(f"call.is_{'leaf' if arg.where == 'leaf' else 'root'}({root}, {comm})")
    for payload in function.payloads():
        if arg in (payload.count, payload.displs, payload.datatype) and len(payload.buffers) == 1:
            buffer = payload.buffers[0]
            if "MPI_IN_PLACE" in buffer.kind.sentinels:
                guard = significance(function, buffer) if buffer is not arg else ""
                conditions.append(f"{buffer.name} != MPI_IN_PLACE" if not guard or guard in conditions else f"!({guard} && {buffer.name} == MPI_IN_PLACE)")
    return " && ".join(conditions)


def capture(function: Function, arg: Arg) -> tuple[str, str] | None:
    """The statements that record an argument where it is significant, and where it is not."""
    kind, name = arg.kind.name, arg.name
    if not columns_of(function, arg):
        return None
    skip = "call.no_list();" if columns_of(function, arg)[0].is_list else "call.no_value();"
    if kind in BUFFERS:
        return f"call.buffer({name});", skip
    if kind in RANKS:
        return f"call.rank({name});", skip
    if kind in NUMBERS or kind in ("length", "bool"):
        return f"call.{'boolean' if kind == 'bool' else 'integer'}({name});", skip
    if kind in ("tag", "color", "message"):
        return f"call.{kind}({'*' if kind == 'message' else ''}{name});", skip
    if kind in ("enum", "flags"):
        assert arg.family
        return f"call.{'flags' if arg.family.is_flags else 'enumeration'}({name}, k_{arg.family.name});", skip
    if kind == "enums":
        assert arg.family
        return f"call.enumerations({name}, {list_length(function, arg)}, k_{arg.family.name});", skip
    if kind in HANDLES:
        return f"call.{kind}({name});", skip
    if kind == "committype":
        return f"call.datatype(*{name});", skip
    if kind == "ranges":
        return f"call.integers(&{name}[0][0], 3 * {list_length(function, arg)});", skip
    if kind == "weights":
        return f"call.weights({name}, {list_length(function, arg)});", skip
    if kind == "bools":
        return f"call.booleans({name}, {list_length(function, arg)});", skip
    if kind in NUMBER_LISTS:
        return f"call.integers({name}, {list_length(function, arg)});", skip
    if kind in ("ranks", "datatypes"):
        return f"call.{kind}({name}, {list_length(function, arg)});", skip
    if kind == "string":
        return f"call.text({name});", skip
    if kind.startswith("free"):
        return f"call.{kind.removeprefix('free')}_freed(*{name});", skip
    if kind in ("waitrequest", "startrequest", "cancelrequest"):
        return f"call.{kind.removesuffix('request')}_request(*{name});", skip
    if kind in ("waitrequests", "startrequests"):
        return f"call.{kind.removesuffix('requests')}_requests({name}, {list_length(function, arg)});", skip
    if kind == "request":
        return f"call.peek_request({name});", skip
    if kind == "newcomm":
        return f"call.new_comm(*{name}, {creation_rule(function)});", "call.no_value(3);"
    if kind.startswith("new"):
        return f"call.new_{kind.removeprefix('new')}(*{name});", skip
    return None


def creation_rule(function: Function) -> str:
    """How processes agree on the name of a new communicator."""
    comms = [arg.name for arg in function.args if arg.kind.name == "comm"]
    if len(comms) == 1 and "collective" in function.traits:
        return f"CreatedBy::all_of, {comms[0]}"
    return "CreatedBy::members, MPI_COMM_WORLD"


def completion(function: Function) -> list[str]:
    """What becomes of requests and statuses when the call has succeeded."""
    kinds = {arg.kind.name: arg for arg in function.args}
    status = kinds.get("status") or kinds.get("statuses")
    if not status or "io" in function.traits:
        return []
    name = f"{status.name}_"
    if "indices" in kinds:
        return [f"call.completed_some(*{kinds['outcount'].name}, {kinds['indices'].name}, {name});"]
    if "index" in kinds:
        return [f"call.completed_any(*{kinds['index'].name}, {name});"]
    if "statuses" in kinds:
        return [f"call.completed_all({name});"]
    if "waitrequest" in kinds:
        return [f"call.completed_one({name});"]
    if "request" in kinds:
        return [f"call.peeked({name});"]
    return [f"call.matched({name});"]


def print_wrapper(function: Function, implementation: str) -> None:
    names = [arg.name for arg in function.args]
    statuses = [arg for arg in function.args if arg.kind.name in ("status", "statuses") and "io" not in function.traits]
    passed = [f"{arg.name}_" if arg in statuses else arg.name for arg in function.args]
    plain = f"real({', '.join(names)})"
    real = f"real({', '.join(passed)})"
    before: list[str] = []
    after: list[str] = []
    for arg in function.args:
        statements = capture(function, arg)
        if not statements:
            continue
        record, skip = statements
        condition = significance(function, arg)
        lines = [record] if not condition else [f"if ({condition}) {{", f"  {record}", "} else {", f"  {skip}", "}"]
        (after if arg.kind.capture == "out" else before).extend(lines)
    for arg in statuses:
        before.append(f"auto* {arg.name}_ = call.{arg.kind.name}({arg.name});")
    for arg in function.args:
        if arg.kind.name == "newrequest":
            after.append(f"call.new_request(*{arg.name}, {'true' if 'persistent' in function.traits else 'false'});")
    after += completion(function)
    kinds = {arg.kind.name: arg for arg in function.args}
    empty = ""
    if "flag" in kinds:
        empty = f"!*{kinds['flag'].name}"
    elif "poll" in function.traits:
        empty = f"*{kinds['outcount'].name} == 0"

    print(f"\n{function.prototype(implementation, 'P' + function.name)} REPRISE_ALIAS({function.name});")
    print(f"REPRISE_EXPORT {function.prototype(implementation)} {{")
    print(f"  REPRISE_REAL(P{function.name});")
    if "init" in function.traits:
        print(f"  const int outcome = {plain};")
        print("  if (outcome == MPI_SUCCESS) begin_session();")
        print(f"  Call call(FunctionNumber::{function.name}, REPRISE_CALLER);")
        print("  if (call.ignored()) return outcome;")
        for line in before:
            print(f"  {line}")
        print("  call.begin();\n  call.end();\n  call.commit();\n  return outcome;\n}")
        return
    print(f"  Call call(FunctionNumber::{function.name}, REPRISE_CALLER);")
    print(f"  if (call.ignored()) return {plain};")
    for line in before:
        print(f"  {line}")
    if function.traits & {"finalize", "abort"}:
        print("  call.begin();\n  call.end();\n  call.commit();")
        print(f"  {'end' if 'finalize' in function.traits else 'abandon'}_session();")
        print(f"  return {real};\n}}")
        return
    if "control" in function.traits:
        print("  call.begin();\n  call.end();\n  call.commit();\n  control_session(level);")
        print(f"  return {real};\n}}")
        return
    print("  call.begin();")
    print(f"  const int outcome = {real};")
    print("  call.end();")
    print("  if (outcome != MPI_SUCCESS) return call.failed(outcome);")
    if empty:
        print(f"  if ({empty}) return call.unsuccessful();")
    for line in after:
        print(f"  {line}")
    print("  call.commit();\n  return outcome;\n}")


def print_wrappers(table: Table, compiler: list[str]) -> None:
    header = read_header(compiler)
    functions = [f for f in table.functions.values() if f.name in header.functions]
    for family in table.families.values():
        print(f"constexpr int k_{family.name}[] = {{{', '.join(family.constants)}}};")
    print('\nextern "C" {')
    for function in functions:
        print_wrapper(function, header.implementation)
    print("\n}  // extern \"C\"")


def print_numbers(table: Table) -> None:
    names = ",\n  ".join(sorted(table.functions))
    print(f"enum class FunctionNumber : std::uint16_t {{\n  {names},\n}};")


def print_predefined(here: bool = False) -> None:
    """The datatypes and operations that MPI has from the start; a trace stores their position in this list.

    `here`: with guards for an mpi.h that lacks some of them.
    """
    for line in (HERE / "predefined.txt").read_text(encoding="utf-8").splitlines():
        words = line.partition("#")[0].split()
        if words:
            entry = f"REPRISE_{words[0].upper()}({', '.join(words[1:])})"
            counter = {"datatype": "type", "op": "op"}[words[0]]
            print(f"#ifdef {words[1]}\n{entry}\n#else\n++{counter};\n#endif" if here else entry)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["functions", "traits", "numbers", "predefined", "predefined_here", "wrappers"])
    parser.add_argument("--cc", default="mpicc", help="the compiler whose mpi.h the wrappers are for")
    options = parser.parse_args()
    try:
        table = load()
        match options.what:
            case "functions":
                print_functions(table)
            case "traits":
                print_traits(table)
            case "numbers":
                print_numbers(table)
            case "predefined" | "predefined_here":
                print_predefined(here=options.what == "predefined_here")
            case "wrappers":
                print_wrappers(table, shlex.split(options.cc))
    except (SpecError, CompilerError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
