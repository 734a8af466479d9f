"""Writes, for `generate.py`, what each argument of each function is: from it a program that calls MPI is written.

An argument has a kind, the column of a trace that tells its value, and, if it is a buffer, the arguments that say how
large that is. `src/write/c/calls/arguments.hpp` has the types.
"""

from __future__ import annotations

from collections.abc import Callable

from table import Arg, Function, Table

ColumnsOf = Callable[[Function], list]  # of generate.Column, in the order in which they are captured

# Kinds whose names are words of C++.
RENAMED = {"int": "integer", "bool": "boolean", "enum": "constant", "enums": "constants", "ints": "integers", "bools": "booleans"}


def kind_name(name: str) -> str:
    return RENAMED.get(name, name)


def column(function: Function, arg: Arg, columns: list) -> tuple[int, bool]:
    """Where the value is, and whether among the lists. A length without a column of its own: the list it belongs to."""
    scalars = [c.name for c in columns if not c.is_list]
    lists = [c.name for c in columns if c.is_list]
    names = {"index": "index", "indices": "index"}
    name = names.get(arg.kind.name, arg.name)
    if name in scalars:
        return scalars.index(name), False
    if name in lists:
        return lists.index(name), True
    if arg.kind.name == "length":
        of = [o for o in function.args if o.length and o.length.arg == arg.name and o.kind.name != "weights" and o.name in lists]
        if of:
            return lists.index(of[0].name), True
    return -1, False


def scale(function: Function, arg: Arg) -> str:
    """How a count of a message follows when messages are made larger or smaller; those of types, windows and files do not."""
    payload = next((p for p in function.payloads() if p.count is arg), None)
    if function.traits & {"io", "rma"} or not payload:
        return "none"
    if "collective" in function.traits:
        return "all"
    return "received" if payload.buffers[0].kind.name == "recvbuf" else "sent"


def blocks(function: Function, arg: Arg | None) -> str:
    if not arg or not arg.blocks:
        return "one"
    if function.arg(arg.blocks.arg).kind.name == "length":
        return "partitions"
    return {"": "members", "local": "local_members", "indegree": "sources", "outdegree": "destinations"}[arg.blocks.property]


def print_arguments(table: Table, columns_of: ColumnsOf) -> None:
    families = list(table.families)
    functions = sorted(table.functions.values(), key=lambda f: f.name)
    for f in functions:
        rows = []
        for arg in f.args:
            at, is_list = column(f, arg, columns_of(f))
            payload = next((p for p in f.payloads() if arg in p.buffers), None)
            parts = (payload.count, payload.displs, payload.datatype) if payload else (None, None, None)
            places = ", ".join(str(f.args.index(p)) if p else "-1" for p in parts)
            family = families.index(arg.family.name) if arg.family else -1
            size = f"Blocks::{blocks(f, payload.count if payload else None)}"
            rows.append(
                f'{{"{arg.name}", ArgumentKind::{kind_name(arg.kind.name)}, {at}, {"true" if is_list else "false"}, {family}, '
                f'{places}, {size}, Scale::{scale(f, arg)}, "{arg.ctype}"}}'
            )
        if rows:
            print(f"constexpr Argument {f.name}_arguments[] = {{{', '.join(rows)}}};")
    print("\nconstexpr std::span<const Argument> kArguments[] = {")
    for f in functions:
        print(f"    {f'{f.name}_arguments' if f.args else '{}'},")
    print("};")


def print_argument_kinds(table: Table) -> None:
    print(",\n".join(f"{kind_name(name)}" for name in table.kinds))
