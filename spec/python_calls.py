"""Writes, for `generate.py`, how Python calls each MPI function: mpi4py.spec with the columns of a trace in place of names.

`src/write/python/mpi4py.hpp` has the types. As a program it compares mpi4py.spec with the mpi4py that is installed.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from table import Arg, Function, SpecError, Table, load_all

SPEC = Path(__file__).parent / "mpi4py.spec"

ROW = re.compile(r"(?P<function>MPI_\w+)\s+(?:(?P<results>[\w, ]+?) = )?(?P<until>until )?(?P<receiver>[\w.]+)(?:\((?P<copied>\w+)\))?\.(?P<method>\w+)\((?P<words>.*)\)$")
REFUSED = re.compile(r"(?P<function>MPI_\w+)\s+! (?P<reason>.+)$")
WORD = re.compile(r"(?:(?P<key>\w+)=)?(?P<open>[\[(]?)(?P<name>\w*)[\])]?$")

# Objects of a program's runtime part.
RUNTIME = {"pending", "messages"}


@dataclass(frozen=True)
class Word:
    arg: Arg
    key: str  # of a keyword argument; empty: it is told by its place
    form: str  # value, message or target


@dataclass
class Call:
    """A row of mpi4py.spec."""

    function: Function
    line: int
    reason: str = ""  # why the function cannot be called; empty: it can
    results: list[Arg | None] = field(default_factory=list)
    until: bool = False
    receiver: str = ""  # an argument's name, or a class
    copied: str = ""  # the argument of which the receiver is a copy
    method: str = ""
    words: list[Word] = field(default_factory=list)

    @property
    def receiver_arg(self) -> Arg | None:
        name = self.copied or self.receiver
        return self.function.arg(name) if any(a.name == name for a in self.function.args) else None


def argument(function: Function, name: str, line: int) -> Arg:
    if not any(a.name == name for a in function.args):
        raise SpecError(SPEC, line, f"{function.name} has no argument {name} in mpi.spec")
    return function.arg(name)


def read_word(function: Function, text: str, line: int) -> Word:
    found = WORD.match(text)
    if not found or not (found["name"] or found["key"]):
        raise SpecError(SPEC, line, f"{text} is not a word")
    name = found["name"] or found["key"]
    return Word(argument(function, name, line), found["key"] or "", {"[": "message", "(": "target", "": "value"}[found["open"]])


def read_calls(table: Table) -> dict[str, Call]:
    out: dict[str, Call] = {}
    for line, text in enumerate(SPEC.read_text().splitlines(), 1):
        text = text.split("#")[0].strip()
        if not text:
            continue
        row = ROW.match(text) or REFUSED.match(text)
        if not row or row["function"] not in table.functions or row["function"] in out:
            raise SpecError(SPEC, line, "this is not a row for a function of mpi.spec, or it is a second one")
        function = table.functions[row["function"]]
        call = out[function.name] = Call(function, line)
        if "reason" in row.groupdict():
            call.reason = row["reason"]
            continue
        names = [n.strip() for n in row["results"].split(",")] if row["results"] else []
        call.results = [None if n == "_" else argument(function, n, line) for n in names]
        call.until = bool(row["until"])
        call.receiver, call.copied, call.method = row["receiver"], row["copied"] or "", row["method"]
        if not call.receiver_arg and call.receiver not in RUNTIME and not call.receiver.startswith("MPI"):
            raise SpecError(SPEC, line, f"{function.name} has no argument {call.receiver} in mpi.spec")
        call.words = [read_word(function, w.strip(), line) for w in row["words"].split(",") if w.strip()]
    return out


# Forms of words, by the kind of their argument where that decides. All others are numbers or handles, as their column says.
FORMS = {"callback": "callback", "indices": "scalar", "info": "info", "base": "memory", "string": "text", "ranges": "ranges", "weights": "weights", "aints": "places"}


def column(function: Function, arg: Arg | None, columns: list) -> int:
    """Where the value is among the scalars or, of a list, among the lists; -1: nowhere."""
    if arg is None:
        return -1
    is_list = arg.kind.is_list or arg.kind.name == "string"
    name = "index" if arg.kind.name in ("index", "indices") else arg.name
    among = [c.name for c in columns if c.is_list == (is_list and name != "index")]
    return among.index(name) if name in among else -1


def blocks(function: Function, count: Arg | None) -> str:
    if count is None:
        return "one"
    if count.kind.is_list:
        return "listed"
    if not count.blocks:
        return "one"
    return {"": "members", "local": "members", "indegree": "sources", "outdegree": "destinations"}[count.blocks.property]


def word_text(call: Call, word: Word, columns: list) -> str:
    f = call.function
    form, at = word.form, column(f, word.arg, columns)
    count = displs = datatype = -1
    many, part, typed_each = "one", "all", "false"
    if form == "message" and {"begin", "end"} & f.traits:
        form = "half" if "begin" in f.traits else "other_half"
    if form != "value" and form != "other_half":
        payload = next(p for p in f.payloads() if word.arg in p.buffers)
        count, displs, datatype = (column(f, a, columns) for a in (payload.count, payload.displs, payload.datatype))
        many = blocks(f, payload.count)
        typed_each = "true" if payload.datatype and payload.datatype.kind.is_list else "false"
        shared = len(payload.buffers) > 1 and payload.count and (payload.count.blocks or payload.count.kind.is_list)
        if shared and word.arg.kind.name == "recvbuf":
            part = "own"
    if form == "value":
        kind = word.arg.kind.name
        form = FORMS.get(kind, "list" if word.arg.kind.is_list else "scalar")
        if form == "memory":
            count = column(f, f.arg("size"), columns)
        if form == "places":  # of a datatype; those of messages are displacements of its buffer
            count = column(f, next((a for a in f.args if a.kind.name in ("counts", "count") and a.name.startswith("block")), None), columns)
            types = next(a for a in f.args if a.kind.name in ("datatype", "datatypes"))
            datatype, typed_each = column(f, types, columns), "true" if types.kind.is_list else "false"
            many = "listed" if any(a.kind.name == "counts" for a in f.args) else "one"
    sent = "true" if word.arg.kind.name == "sendbuf" else "false"
    return f'{{"{word.key}", Form::{form}, {at}, {count}, {displs}, {datatype}, Blocks::{many}, Part::{part}, {typed_each}, {sent}}}'


def print_python_calls(table: Table, columns_of: Callable[[Function], list]) -> None:
    calls = read_calls(table)
    functions = sorted(table.functions.values(), key=lambda f: f.name)
    for f in functions:
        call = calls.get(f.name)
        if not call or call.reason:
            continue
        columns = columns_of(f)
        if call.words:
            print(f"constexpr Word {f.name}_words[] = {{{', '.join(word_text(call, w, columns) for w in call.words)}}};")
        if call.results:
            print(f"constexpr int {f.name}_results[] = {{{', '.join(str(column(f, a, columns)) for a in call.results)}}};")
    print("\nconstexpr MethodCall kCalls[] = {")
    for f in functions:
        call = calls.get(f.name)
        if not call or call.reason:
            print(f'    {{"{call.reason if call else "mpi4py 3.1 does not have it"}", "", "", -1, false, false, {{}}, {{}}}},')
            continue
        receiver = call.receiver_arg
        at = column(f, receiver, columns_of(f))
        request = any(a is not None and a.kind.name == "newrequest" for a in call.results)
        words = f"{f.name}_words" if call.words else "{}"
        results = f"{f.name}_results" if call.results else "{}"
        name = "" if receiver and not call.copied else call.receiver
        print(f'    {{"", "{name}", "{call.method}", {at}, {str(call.until).lower()}, {str(request).lower()}, {words}, {results}}},')
    print("};")


def check_installed(calls: dict[str, Call]) -> list[str]:
    """Rows that say what the installed mpi4py does not have."""
    import mpi4py

    mpi4py.rc.initialize = False
    from mpi4py import MPI

    classes = {
        "comm": [MPI.Comm, MPI.Intracomm, MPI.Intercomm, MPI.Topocomm, MPI.Cartcomm],
        "freecomm": [MPI.Comm], "win": [MPI.Win], "freewin": [MPI.Win], "file": [MPI.File], "freefile": [MPI.File],
        "datatype": [MPI.Datatype], "committype": [MPI.Datatype], "freetype": [MPI.Datatype], "group": [MPI.Group],
        "freegroup": [MPI.Group], "freeop": [MPI.Op],
    }  # fmt: skip
    wrong = []
    for call in calls.values():
        if call.reason or call.receiver in RUNTIME:
            continue
        if call.receiver_arg:
            owners = classes[call.receiver_arg.kind.name]
        else:
            owner = MPI
            for part in call.receiver.split(".")[1:]:
                owner = getattr(owner, part)
            owners = [owner]
        methods = [getattr(o, call.method) for o in owners if hasattr(o, call.method)]
        if not methods:
            wrong.append(f"{SPEC.name}:{call.line}: mpi4py has no {call.method} of {call.receiver}")
            continue
        signature = (inspect.getdoc(methods[0]) or "").splitlines()[0]
        inside = signature[signature.index("(") + 1 : signature.rindex(")")]
        names = re.findall(r"(?:^|, )(\w+)(?=:|,|$)", re.sub(r"\[[^\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", inside)))
        names = [n for n in names if n not in ("self", "cls")]
        if len(call.words) > len(names):
            wrong.append(f"{SPEC.name}:{call.line}: {signature} takes fewer arguments")
        for place, word in enumerate(call.words):
            if word.key and word.key not in names:
                wrong.append(f"{SPEC.name}:{call.line}: {signature} has no argument {word.key}")
            if word.key and word.key in names[:place] and not call.words[place - 1].key:
                wrong.append(f"{SPEC.name}:{call.line}: {signature} has {word.key} in an earlier place")
    return wrong


def main() -> int:
    wrong = check_installed(read_calls(load_all()))
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
