#!/usr/bin/env python3
"""Writes the code that follows from mpi.spec and posix.spec.

    generate.py functions                       the table of functions and their columns in a trace
    generate.py traits                          a bit for each trait, trace::traits
    generate.py numbers                         a number for each function, by which wrappers name them
    generate.py predefined                      the datatypes and operations that MPI has from the start
    generate.py predefined_here                 the same, for an mpi.h that may lack some of them
    generate.py wrappers --cc "mpicc.openmpi"   the C functions that the recorder puts before an MPI library
    generate.py fortran --cc smpicc             the Fortran routines that do not reach those C functions by themselves
    generate.py fortran_requests --cc mpicc.openmpi   the Fortran routines that say where the program keeps its requests
    generate.py python_calls                    how Python calls each function with mpi4py
    generate.py replay --cc "mpicc.openmpi"     the calls that a replay makes of what is in a trace
    generate.py argument_kinds                  the kinds of arguments
    generate.py arguments                       what each argument of each function is
    generate.py steering --cc "mpicc.openmpi"   the functions by which a replay decides what wildcards meet
    generate.py wraps --cc smpicc               what puts them between a recorder and SMPI, for the linker
    generate.py posix                           the functions that the recorder puts before those of POSIX
    generate.py posix_exports                   which names a recorder of POSIX I/O shows, for the linker
    generate.py posix_steering                  the functions of POSIX by which a replay finds as much in a file as was there

Prints to standard output. How an argument becomes columns is said once, in `columns_of`.
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import shlex
import sys
from dataclasses import dataclass

from arguments import print_argument_kinds, print_arguments
from python_calls import print_python_calls
from check_coverage import CompilerError, Header, read_header, shared_library
from replay import print_posix_steering, print_replay, print_steering, print_wraps
from table import PREDEFINED, Arg, Function, Length, Payload, SpecError, Table, load_all, load_excluded

RANKS = {"dest", "source", "root", "rank", "target"}
BUFFERS = {"sendbuf", "recvbuf", "sendrecvbuf", "base"}
NUMBERS = {"count", "int", "aint", "offset", "disp"}
HANDLES = {"comm", "group", "datatype", "op", "win", "file", "session"}
HANDLE_KINDS = {"win": "window"}
NUMBER_LISTS = {"counts", "displs", "ints", "aints", "ranges", "weights", "bools"}
INDEX = "index"  # the column that says which of its requests a call completed


@dataclass(frozen=True)
class Column:
    """A column of a call in a trace; `kind` is one of trace::Kind, `family` an enumeration that its numbers are of."""

    name: str
    kind: str
    is_list: bool = False
    family: str = ""


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
    if kind in NUMBERS:
        return [Column(name, "count" if kind == "count" else "integer")]
    if kind in ("enum", "flags", "enums"):
        return [Column(name, "integer", kind == "enums", arg.family.name)]
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
    if kind in ("ranks", "datatypes", "newtypes"):
        return [Column(name, "peer" if kind == "ranks" else "datatype", is_list=True)]
    if kind == "string":
        return [Column(name, "character", is_list=True)]
    if kind in ("newcomm", "newwin"):
        return [Column(name, handle_kind(kind, "new")), Column(f"{name}_rank", "integer"), Column(f"{name}_size", "integer")]
    if kind == "newtype":
        return [Column(name, "datatype"), Column(f"{name}_size", "bytes")]
    if kind in ("newgroup", "newop", "newfile", "newsession"):
        return [Column(name, handle_kind(kind, "new"))]
    if kind in ("fd", "newfd", "freefd"):
        return [Column(name, "file")]
    if kind in ("size", "place", "moved", "position"):
        return [Column(name, "integer")]
    if kind in ("storedv", "loadedv"):
        return [Column(name, "integer", is_list=True)]
    if kind == "freerequest":
        return [Column(name, "request")]
    if kind.startswith("free"):
        return [Column(name, handle_kind(kind, "free"))]
    if kind in ("request", "partrequest", "waitrequest", "startrequest", "cancelrequest"):
        return [Column(name, "request")]
    if kind in ("waitrequests", "startrequests"):
        return [Column(name, "request", is_list=True)]
    if kind in ("index", "indices"):
        return [Column(INDEX, "integer")]
    if kind in ("status", "statuses") and "io" not in function.traits:
        is_list = kind == "statuses" and not some
        return [Column("matched_source", "matched", is_list), Column("matched_tag", "tag", is_list)]
    return []


def all_columns(function: Function) -> list[Column]:
    """In the order in which they are captured: what goes into a call, then what comes out of it."""
    ordered = function.captured("in", "inout") + function.captured("out", "result")
    return [Column("polls", "polls")] + [c for arg in ordered for c in columns_of(function, arg)]


def communicator(function: Function, scalars: list[Column]) -> int:
    """The scalar that says what the ranks of the row are ranks of."""
    for wanted in ("window", "comm"):
        for i, column in enumerate(scalars):
            if column.kind == wanted and not any(arg.kind.name.startswith("new") and arg.name == column.name for arg in function.args):
                return i
    return -1


def completed(function: Function, scalars: list[Column]) -> int:
    """The scalar that says which of several requests the row completed."""
    if not any(arg.kind.name in ("index", "indices") for arg in function.args):
        return -1
    return [column.name for column in scalars].index(INDEX)


def print_payloads(function: Function) -> bool:
    """The data that a call moves, as trace::Payload; false if it moves none."""
    scalars = [c.name for c in all_columns(function) if not c.is_list]
    lists = [c.name for c in all_columns(function) if c.is_list]
    kinds = {arg.kind.name: arg.name for arg in function.args}

    def place(arg: Arg | None) -> int:
        if not arg:
            return -1
        return (lists if columns_of(function, arg)[0].is_list else scalars).index(arg.name)

    def peer(is_sent: bool, is_rooted: bool) -> int:
        name = kinds["root"] if is_rooted else kinds.get("target") or kinds.get("dest" if is_sent else "source")
        return scalars.index(name) if name else -1

    found: list[tuple[Payload, Arg, bool]] = []  # with the buffer, and whether it is sent
    for payload in function.payloads():
        buffers = [b for b in payload.buffers if b.kind.name != "disp"] if payload.datatype else []
        for buffer in buffers:
            found += [(payload, buffer, is_sent) for is_sent in (True, False)
                      if buffer.kind.name in ("sendrecvbuf", "sendbuf" if is_sent else "recvbuf")]
    rows = []
    if moved := next((arg for arg in function.args if arg.kind.name == "moved"), None):
        direction = "written" if any(arg.kind.name.startswith("stored") for arg in function.args) else "read"
        rows.append(f"{{Direction::{direction}, Blocks::one, Part::all, Where::everywhere, -1, {place(moved)}, -1, false, -1, -1, -1}}")
    for payload, buffer, is_sent in found:
        count, shared = payload.count, len(payload.buffers) > 1
        blocks = "one"
        if count and count.kind.is_list:
            blocks = "listed"
        elif count and count.blocks:
            blocks = {"indegree": "sources", "outdegree": "destinations"}.get(count.blocks.property, "members")
            if function.arg(count.blocks.arg).kind.name == "length":
                blocks = "partitions"
        part = "own" if shared and blocks != "one" and not is_sent else "all"
        direction = ("written" if is_sent else "read") if "io" in function.traits else "sent" if is_sent else "received"
        is_rooted = buffer.kind.name == "sendrecvbuf" and "root" in kinds
        where = "everywhere" if not is_rooted else "root" if is_sent else "others"
        other = -1
        if not shared and "MPI_IN_PLACE" in buffer.kind.sentinels:
            other = next((i for i, o in enumerate(found) if o[0] is not payload and o[2] != is_sent), -1)
        is_typed = bool(payload.datatype and payload.datatype.kind.is_list)
        parts = scalars.index(count.blocks.arg) if count and count.blocks and blocks == "partitions" else -1
        rows.append(
            f"{{Direction::{direction}, Blocks::{blocks}, Part::{part}, Where::{where}, {place(buffer)}, {place(count)}, "
            f"{place(payload.datatype)}, {'true' if is_typed else 'false'}, {peer(is_sent, is_rooted)}, {other}, {parts}}}"
        )
    if rows:
        print(f"constexpr Payload {function.name}_payloads[] = {{{', '.join(rows)}}};")
    return bool(rows)


def print_enumerations(table: Table) -> None:
    for e in table.families.values():
        names = ", ".join(f'"{c}"' for c in e.constants)
        print(f"constexpr std::string_view {e.name}_names[] = {{{names}}};")
    print("\nconstexpr Enumeration kEnumerations[] = {")
    for e in table.families.values():
        print(f"    {{{e.name}_names, {'true' if e.is_flags else 'false'}}},")
    print("};\n")


def print_functions(table: Table) -> None:
    functions = sorted(table.functions.values(), key=lambda f: f.name)
    families = list(table.families)
    print_enumerations(table)
    for f in functions:
        for is_list in (False, True):
            columns = [c for c in all_columns(f) if c.is_list == is_list]
            if columns:
                family = [f", {families.index(c.family)}" if c.family else "" for c in columns]
                body = ", ".join(f'{{"{c.name}", Kind::{c.kind}{e}}}' for c, e in zip(columns, family))
                print(f"constexpr Column {f.name}_{'lists' if is_list else 'scalars'}[] = {{{body}}};")
    moving = [f for f in functions if print_payloads(f)]
    print("\nconstexpr Function kFunctions[] = {")
    for f in functions:
        scalars = [c for c in all_columns(f) if not c.is_list]
        has_lists = any(c.is_list for c in all_columns(f))
        payloads = f"{f.name}_payloads" if f in moving else "{}"
        ends = "true" if any(arg.kind.name in ("waitrequest", "waitrequests", "freerequest") for arg in f.args) else "false"
        traits = " | ".join(f"traits::k{t.title().replace('-', '')}" for t in sorted(f.traits))
        print(f'    {{"{f.name}", "{f.base}", {f.name}_scalars, {f.name + "_lists" if has_lists else "{}"}, {payloads}, {communicator(f, scalars)}, {completed(f, scalars)}, {traits}, {ends}}},')
    print("};")
    print(f"\nconstexpr bool kIsPosix[] = {{{', '.join('true' if f.is_posix else 'false' for f in functions)}}};")


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
        return f"call.local({arg.length.arg})"
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


@dataclass(frozen=True)
class Capture:
    """How an argument is recorded: a method of the recorder's Call, or of FlatCall, and its arguments in C++."""

    method: str
    args: str
    skip: str  # the method for where the argument is not significant, with its arguments


def capture(function: Function, arg: Arg) -> Capture | None:
    kind, name = arg.kind.name, arg.name
    columns = columns_of(function, arg)
    if not columns or kind in ("index", "indices", "status", "statuses"):
        return None
    n = list_length(function, arg) if arg.length else ""
    family = f"k_{arg.family.name}" if arg.family else ""

    def made(method: str, args: str) -> Capture:
        return Capture(method, args, "no_list" if columns[0].is_list else "no_value")

    if kind in BUFFERS:
        return made("buffer", name)
    if kind in RANKS:
        return made("rank", name)
    if kind in NUMBERS or kind == "length":
        return made("integer", name)
    if kind in ("size", "place", "moved", "position"):
        return made("integer", "outcome" if arg is function.result else name)
    if kind in ("fd", "newfd", "freefd"):
        method = {"fd": "descriptor", "newfd": "new_descriptor", "freefd": "descriptor_freed"}[kind]
        return made(method, "outcome" if arg is function.result else name)
    if kind in ("storedv", "loadedv"):
        return made("pieces", f"{name}, {n}")
    if kind in ("enum", "flags"):
        return made("flags" if arg.family and arg.family.is_flags else "enumeration", f"{name}, {family}")
    if kind == "enums":
        return made("enumerations", f"{name}, {n}, {family}")
    if kind == "committype":
        return made("datatype", f"*{name}")
    if kind == "ranges":
        return made("integers", f"&{name}[0][0], 3 * {n}")
    if kind == "aints" and "create" in function.traits:
        lengths = next(a.name for a in function.args if a.name in ("blocklengths", "blocklength"))
        types = next(a.name for a in function.args if a.kind.name in ("datatypes", "datatype"))
        return made("addresses", f"{name}, {n}, {lengths}, {types}")
    if kind in ("weights", "ranks", "datatypes"):
        return made(kind, f"{name}, {n}")
    if kind in NUMBER_LISTS:
        return made("booleans" if kind == "bools" else "integers", f"{name}, {n}")
    if kind == "string":
        return made("text", name)
    if kind == "freerequest":
        return made("request_freed", name)
    if kind.startswith("free"):
        return made(f"{kind.removeprefix('free')}_freed", f"*{name}")
    if kind in ("waitrequest", "startrequest", "cancelrequest"):
        return made(f"{kind.removesuffix('request')}_request", name)
    if kind in ("waitrequests", "startrequests"):
        return made(f"{kind.removesuffix('requests')}_requests", f"{name}, {n}")
    if kind in ("request", "partrequest"):
        return made("peek_request", name)
    if kind == "newcomm":
        return made("new_comm", f"*{name}, {creation_rule(function)}")
    if kind == "newmessage":
        return made("message", f"*{name}")
    if kind == "newtypes":
        return made("new_types", f"{name}, {n}")
    if kind.startswith("new"):
        return made(f"new_{kind.removeprefix('new')}", f"*{name}")
    if kind == "message":
        return made("message", f"*{name}")
    if kind == "bool":
        return made("boolean", name)
    return made(kind, name)  # tag, color and the handles: the method bears the kind's name


def creation_rule(function: Function) -> str:
    """How processes agree on the name of a new communicator."""
    comms = [arg.name for arg in function.args if arg.kind.name == "comm"]
    if len(comms) == 1 and "collective" in function.traits:
        return f"CreatedBy::all_of, {comms[0]}"
    tag = next((arg.name for arg in function.args if arg.name == "stringtag"), "")
    return f"CreatedBy::members, MPI_COMM_WORLD{', ' if tag else ''}{tag}"


def completion(function: Function) -> tuple[str, str] | None:
    """What becomes of requests and statuses when the call has succeeded: a method and its arguments."""
    kinds = {arg.kind.name: arg for arg in function.args}
    status = kinds.get("status") or kinds.get("statuses")
    if not status or "io" in function.traits:
        return None
    name = f"{status.name}_"
    if "indices" in kinds:
        return "completed_some", f"*{kinds['outcount'].name}, {kinds['indices'].name}, {name}"
    if "index" in kinds:
        return "completed_any", f"*{kinds['index'].name}, {name}"
    if "statuses" in kinds:
        return "completed_all", name
    if "waitrequest" in kinds:
        return "completed_one", name
    if "request" in kinds:
        return "peeked", name
    return "matched", name


def statements(function: Function, receiver: str, when: str) -> list[str]:
    """What is said to `receiver` before the real call, or after it."""
    lines: list[str] = []
    names = receiver == "flat"
    for arg in function.captured(*(("in", "inout") if when == "before" else ("out", "result"))):
        what = capture(function, arg)
        if not what:
            continue
        label = f'"{arg.name}", ' if names else ""
        says = f"{receiver}.{what.method}({label}{what.args.replace('call.', f'{receiver}.')});"
        condition = significance(function, arg).replace("call.", f"{receiver}.")
        if condition:
            label = label.removesuffix(", ")
            lines += [f"if ({condition}) {{", f"  {says}", "} else {", f"  {receiver}.{what.skip}({label});", "}"]
        else:
            lines.append(says)
    if when == "after":
        for arg in function.args:
            if arg.kind.name == "newrequest":
                lines.append(f"{receiver}.new_request({arg.name}, {'true' if 'persistent' in function.traits else 'false'});")
        done = completion(function)
        if done:
            lines.append(f"{receiver}.{done[0]}({done[1]});")
    return lines


def guarded(lines: list[str]) -> list[str]:
    return [*("if (flat.on()) {", *(f"  {line}" for line in lines), "}")] if lines else []


def failure(function: Function, receiver: str) -> str:
    """What is said when the real call returned an error: a completion may have ended requests all the same."""
    kinds = {arg.kind.name: arg for arg in function.args}
    if "waitrequest" in kinds:
        return f"{receiver}.failed_one(outcome, *{kinds['waitrequest'].name});"
    if "waitrequests" not in kinds:
        return f"{receiver}.failed();"
    requests = kinds["waitrequests"]
    handed = f"outcome, {requests.name}, {list_length(function, requests)}"
    if "indices" in kinds or "index" in kinds:
        return f"{receiver}.failed_any({handed});"
    return f"{receiver}.failed_all({handed}, {kinds['statuses'].name}_);"


# Calls that are recorded even while recording is paused: what they make or set outlives the pause.
LASTING = {"create", "free", "persistent", "cancel", "state", "init", "finalize", "abort", "control"}


def block(opening: str, lines: list[str]) -> list[str]:
    return [f"{opening}[&] {{", *(f"  {line}" for line in lines), "});"]


def print_wrapper(function: Function, implementation: str) -> None:
    statuses = [arg for arg in function.args if arg.kind.name in ("status", "statuses") and "io" not in function.traits]
    names = [arg.name for arg in function.args]
    passed = [f"{arg.name}_" if arg in statuses else arg.name for arg in function.args]
    kinds = {arg.kind.name: arg for arg in function.args}
    plain, real = f"real({', '.join(names)})", f"real({', '.join(passed)})"
    # What begins or ends a recording: MPI's own beginning and end, and those of its sessions.
    begins = "begin_session();" if "init" in function.traits else "begin_session_model();" if "newsession" in kinds else ""
    ends = {"finalize": "end_session();", "abort": "abandon_session();", "control": "control_session(level);"}
    ending = next((text for trait, text in ends.items() if trait in function.traits), "")
    if "freesession" in kinds:
        ending = "end_session_model();"

    body = [f"REPRISE_REAL(P{function.name});"]
    if begins:
        body += [f"const int outcome = {plain};", f"if (outcome == MPI_SUCCESS) {begins}"]
        plain = "outcome"
    body.append(f"Call call(FunctionNumber::{function.name}, REPRISE_CALLER);")
    always = [ending] if ending and "control" not in function.traits else []
    body += ["if (call.ignored()) {", *(f"  {line}" for line in [*always, f"return {plain};"]), "}"]
    lasting = "true" if LASTING & function.traits else "false"
    body.append(f'FlatCall flat("{function.name}", call.thread(), call.aside(), {lasting});')
    body += [f"auto* {arg.name}_ = {arg.name};" for arg in statuses]
    before = statements(function, "call", "before") + guarded(statements(function, "flat", "before"))
    before += [f"{arg.name}_ = call.{arg.kind.name}({arg.name});" for arg in statuses]
    body += block("call.before(", before)
    if begins or ending:  # recorded after it has happened, or before it does
        done = [*guarded([*statements(function, "flat", "after"), "flat.commit();"]), *statements(function, "call", "after"), "call.commit();"]
        if begins and begins != "begin_session();":
            done = ["if (outcome != MPI_SUCCESS) {", *(f"  {line}" for line in guarded(["flat.failed();"])), "  return call.failed();", "}", *done]
        body += block("call.after(", done)
        body += ["call.leave();"] if always else []
        body += [ending] if ending else []
        body.append("return outcome;" if begins else f"return {real};")
    else:
        body.append(f"const int outcome = {real};")
        after = ["if (outcome != MPI_SUCCESS) {", *(f"  {line}" for line in guarded([failure(function, "flat")]))]
        after += [f"  return {failure(function, 'call')}", "}"]
        empty = f"!*{kinds['flag'].name}" if "flag" in kinds else f"*{kinds['outcount'].name} == 0" if "poll" in function.traits else ""
        if empty:
            after += [f"if ({empty}) {{", *(f"  {line}" for line in guarded(["flat.unsuccessful();"])), "  return call.unsuccessful();", "}"]
        after += guarded(statements(function, "flat", "after") + ["flat.commit();"])
        after += statements(function, "call", "after")
        after.append("call.commit();")
        body += block("call.after(", after)
        body.append("return outcome;")

    print(f"\n{function.prototype(implementation, 'P' + function.name)} REPRISE_ALIAS({function.name});")
    print(f"REPRISE_EXPORT {function.prototype(implementation)} {{")
    print("\n".join(f"  {line}" for line in body) + "\n}")


def unknown(table: Table, header: Header) -> list[str]:
    """Functions of an MPI that is newer than the table: they are not recorded, and calls of them are counted."""
    excluded = load_excluded(table)
    new = header.integers - table.functions.keys()
    return sorted(name for name in new if not any(fnmatch.fnmatchcase(name, pattern) for pattern in excluded))


def print_counter(name: str, parameters: str) -> None:
    """A wrapper that counts. Its parameters are as the header has them."""
    names = [re.sub(r"(\[\w*\])+$", "", p).split("*")[-1].split()[-1] for p in parameters.split(",") if p.strip() != "void"]
    print(f"\nint P{name}({parameters}) REPRISE_ALIAS({name});")
    print(f"REPRISE_EXPORT int {name}({parameters}) {{")
    print(f"  REPRISE_REAL(P{name});")
    print("  const UnknownCall call(__builtin_return_address(0));")
    print(f"  return real({', '.join(names)});\n}}")


def print_constants(table: Table, is_posix: bool) -> None:
    for family in table.families.values():
        if family.is_posix == is_posix:
            print(f"[[maybe_unused]] constexpr int k_{family.name}[] = {{{', '.join(family.constants)}}};")


def print_posix_wrapper(function: Function) -> None:
    """A wrapper bears its name in the object file only, where headers that declare the function do not matter."""
    name, handle = function.name, next((a for a in function.args if a.kind.name in ("fd", "freefd")), None)
    parameters = [arg.name for arg in function.parameters]
    passed = [*parameters, "mode"] if "variadic" in function.traits else parameters
    real = f"real({', '.join(passed)})"
    result = function.result.ctype if function.result else "int"
    declared = function.prototype(name=f"reprise_{name}")
    body = [f"using Real = {result} (*)({', '.join(a.ctype for a in function.parameters)}{', ...' if 'variadic' in function.traits else ''});",
            f'static Behind behind{{"{name}"}};',
            "const auto real = reinterpret_cast<Real>(behind.find());"]
    if "variadic" in function.traits:
        body += ["mode_t mode = 0;", "if (has_mode(oflag)) {", "  va_list rest;", "  va_start(rest, oflag);",
                 "  mode = va_arg(rest, mode_t);", "  va_end(rest);", "}"]
    if handle:
        body += [f"if (!is_followed({handle.name})) {{", f"  note_other({handle.name}, __builtin_return_address(0));", f"  return {real};", "}"]
    body += ["const KeptError kept;", f"Call call(FunctionNumber::{name}, Call::OfProgram{{}}, REPRISE_CALLER);",
             "if (call.ignored()) {", f"  const {result} outcome = {real};", "  kept.keep();", "  return outcome;", "}",
             f'FlatCall flat("{name}", call.thread(), call.aside(), {"true" if LASTING & function.traits else "false"});']
    body += block("call.before(", statements(function, "call", "before") + guarded(statements(function, "flat", "before")))
    body += [f"const {result} outcome = {real};", "kept.keep();"]
    after = ["if (outcome < 0) {", *(f"  {line}" for line in guarded(["flat.failed();"])), "  return call.failed();", "}"]
    if function.result and function.result.kind.name == "newfd":
        after.append("if (!is_regular(outcome)) return call.dropped();")
    after += guarded(statements(function, "flat", "after") + ["flat.commit();"]) + statements(function, "call", "after") + ["call.commit();"]
    body += block("call.after(", after) + ["return outcome;"]
    print(f'\n{declared} __asm__("{name}");')
    print(f"REPRISE_EXPORT {declared} {{")
    print("\n".join(f"  {line}" for line in body) + "\n}")
    for alias in function.aliases:
        print(f'REPRISE_EXPORT {function.prototype(name=f"reprise_{alias}")} __asm__("{alias}") __attribute__((alias("{name}")));')


def print_posix(table: Table) -> None:
    print_constants(table, is_posix=True)
    print('\nextern "C" {')
    for function in table.functions.values():
        if function.is_posix:
            print_posix_wrapper(function)
    print('\n}  // extern "C"')


def print_posix_exports(table: Table) -> None:
    names = [name for f in table.functions.values() if f.is_posix for name in (f.name, *f.aliases)]
    # The first ones as in src/record/exports.map.
    print(f"{{\n  global: MPI_*; PMPI_*; mpi_*; pmpi_*; ompi_*_f; reprise_*; {'; '.join(names)};\n  local: *;\n}};")


def print_wrappers(table: Table, compiler: list[str]) -> None:
    header = read_header(compiler)
    functions = [f for f in table.functions.values() if f.name in header.functions]
    print_constants(table, is_posix=False)
    print('\nextern "C" {')
    for function in functions:
        print_wrapper(function, header.implementation)
    for name in unknown(table, header):
        print_counter(name, header.parameters[name])
    print("\n}  // extern \"C\"")


def print_fortran(table: Table, compiler: list[str]) -> None:
    """Routines of SimGrid's library that call one C function each: number, routine, C function.

    MPI_Comm_free's does not, and is written by hand.
    """
    header = read_header(compiler)
    other = {"MPI_Type_create_hvector": "MPI_Type_hvector"}
    library = shared_library(compiler, "libsimgrid.so")
    routines = [f for f in table.functions.values() if f.name in header.functions and f"{f.name.lower()}_" in library]
    for number, f in enumerate(f for f in routines if f.name != "MPI_Comm_free"):
        print(f"REPRISE_FORTRAN({number}, {f.name.lower()}_, {other.get(f.name, f.name)})")


def print_numbers(table: Table) -> None:
    names = ",\n  ".join(sorted(table.functions))
    print(f"enum class FunctionNumber : std::uint16_t {{\n  {names},\n}};")


def print_predefined(here: bool = False) -> None:
    """The datatypes and operations that MPI has from the start; a trace stores their position in this list.

    `here`: with guards for an mpi.h that lacks some of them.
    """
    for line in PREDEFINED.read_text(encoding="utf-8").splitlines():
        word, *words = line.partition("#")[0].split() or [""]
        if not word:
            continue
        name, symbol = words[0], words[2] if len(words) > 2 else ""
        entry = f"REPRISE_{word.upper()}({', '.join(words[:2])})"
        if not here:
            print(entry)
            continue
        counter = {"datatype": "type", "op": "op"}[word]
        if symbol:
            print(f'#if defined(OPEN_MPI)\nREPRISE_{word.upper()}_OF({name}, "{symbol}")\n#elif defined({name})')
        else:
            print(f"#ifdef {name}")
        print(f"{entry}\n#else\n++{counter};\n#endif")


# Libraries of Fortran routines that hand copies of the program's requests to C functions.
FORTRAN_LIBRARIES = {"openmpi": ["libmpi_mpifh.so", "libmpi_usempif08.so"], "mpich": ["libmpichfort.so"]}


def print_fortran_requests(table: Table, compiler: list[str]) -> None:
    """Routines of Fortran that say where the program keeps the requests that they are about."""
    implementation = read_header(compiler).implementation
    library: set[str] = set()
    for name in FORTRAN_LIBRARIES.get(implementation, []):
        try:
            library |= shared_library(compiler, name)
        except CompilerError:  # no Fortran here
            continue
    for function in table.functions.values():
        args = [arg.kind.name for arg in function.fortran_args]
        place = next((i for i, kind in enumerate(args) if "request" in kind and kind != "request"), None)
        if place is None:
            continue
        routine = function.name.lower()
        # MPICH has Fortran's handles in C: only what may be a section of an array of types is copied.
        is_copied = implementation == "openmpi" or args[place] in ("waitrequests", "startrequests")
        f77 = [f"{routine}_", f"{routine}__", f"p{routine}_", f"p{routine}__", f"o{routine}_f"]
        print_fortran_request(f77 if implementation == "openmpi" else [], [f"p{routine}_"], len(args), place, library)
        f08 = [f"{routine}_f08_", f"p{routine}_f08_"]
        print_fortran_request(f08 if is_copied else [], [f"p{routine}_f08_", f"pmpir{routine.removeprefix('mpi')}_f08_"], len(args), place, library)


def print_fortran_request(names: list[str], behind: list[str], args: int, place: int, library: set[str]) -> None:
    """A routine under its names, as far as the library has them; `behind` it the first that the library has."""
    names = [name for name in names if name in library]
    real = next((name for name in behind if name in library), "")
    if not names or not real:
        return
    parameters = ", ".join(f"void* a{i}" for i in range(args + 1))
    print(f"\nREPRISE_EXPORT void {names[0]}({parameters}) {{")
    print(f'  static const auto real = reinterpret_cast<decltype(&{names[0]})>(find_real("{real}"));')
    print(f"  const FortranRequests requests(a{place});")
    print(f"  real({', '.join(f'a{i}' for i in range(args + 1))});\n}}")
    for other in names[1:]:
        print(f'REPRISE_EXPORT void {other}({parameters}) __attribute__((alias("{names[0]}")));')


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["functions", "traits", "numbers", "predefined", "predefined_here", "wrappers", "fortran", "fortran_requests", "argument_kinds", "arguments", "python_calls",
                                         "replay", "steering", "wraps", "posix", "posix_exports", "posix_steering"])
    parser.add_argument("--cc", default="mpicc", help="the compiler whose mpi.h the wrappers are for")
    options = parser.parse_args()
    try:
        table = load_all()
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
            case "argument_kinds":
                print_argument_kinds(table)
            case "arguments":
                print_arguments(table, all_columns)
            case "python_calls":
                print_python_calls(table, all_columns)
            case "replay":
                print_replay(table, read_header(shlex.split(options.cc)), all_columns)
            case "wraps":
                print_wraps(table, read_header(shlex.split(options.cc)))
            case "steering":
                print_steering(table, read_header(shlex.split(options.cc)), all_columns)
            case "fortran_requests":
                print_fortran_requests(table, shlex.split(options.cc))
            case "posix":
                print_posix(table)
            case "posix_exports":
                print_posix_exports(table)
            case "posix_steering":
                print_posix_steering(table)
            case "fortran":
                print_fortran(table, shlex.split(options.cc))
    except (SpecError, CompilerError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
