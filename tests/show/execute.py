"""Executes the explained program of `reprise show --json` for one stream, as docs/show_json.md tells."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from math import isqrt
from typing import Any

Json = Any
Number = int | str

PROC_NULL = "MPI_PROC_NULL"

OPERATORS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "!": lambda a: a == 0,
    "min": min,
    "max": max,
    "log2": lambda a: a.bit_length() - 1,
    "sqrt": isqrt,
}


def expand(series: Json, offset: int = 0) -> Iterator[Number]:
    for term in series:
        if not isinstance(term, dict):
            yield term + offset if offset else term
            continue
        for k in range(term["count"]):
            more = offset + k * term["step"]
            if "repeat" in term:
                yield from expand(term["repeat"], more)
            else:
                yield term["value"] + more if more else term["value"]


@dataclass
class Frame:
    """A running procedure, or the body of the program."""

    caller: "Frame | None" = None
    passed: dict[str, Json] = field(default_factory=dict)
    number: int = 0  # of the invocation
    indices: dict[str, int] = field(default_factory=dict)
    iterations: list[int] = field(default_factory=list)  # of the loops around, numbered over all


@dataclass
class Progress:
    """Where a stream is in a sequence or an alternation."""

    entry: tuple[int, int] | None = None
    position: int = 0
    last: int = 0
    invocation: int = -1


class Executor:
    def __init__(self, document: Json, rank: int, thread: int) -> None:
        self.program = document["explained"]
        self.stream = rank * document["threads"] + thread
        self.known = {"rank": rank, "ranks": document["ranks"], "thread": thread}
        self.extents = self.program.get("grid", {}).get("extents", [])
        for name, e in self.program.get("grid", {}).get("coordinates", {}).items():
            self.known[name] = self.evaluate(e, self.known)
        self.groups = {g["name"]: set(expand(g["streams"])) for g in self.program["groups"]}
        self.procedures = {p["name"]: p for p in self.program["procedures"]}
        self.members = {0: (rank, document["ranks"]), 1: (0, 1)}  # rank and size, by communicator or window
        self.tables: dict[int, list[Number]] = {}
        self.progress: dict[int, Progress] = {}
        self.invocations = self.iterations = 0

    def run(self) -> Iterator[tuple[str, dict[str, Json]]]:
        yield from self.nodes(self.program["body"], Frame())

    def nodes(self, nodes: list[Json], frame: Frame) -> Iterator[tuple[str, dict[str, Json]]]:
        before = False
        for node in nodes:
            before = not before if node["kind"] == "otherwise" else self.holds(node.get("who"), frame)
            if before:
                yield from self.node(node, frame)

    def node(self, node: Json, frame: Frame) -> Iterator[tuple[str, dict[str, Json]]]:
        if node["kind"] == "call":
            yield self.call(node, frame)
        elif node["kind"] == "loop":
            trips = self.value(node["trips"], frame, {})
            frame.iterations.append(0)
            for i in range(int(trips)):
                self.iterations += 1
                frame.indices[node["index"]] = i
                frame.iterations[-1] = self.iterations
                yield from self.nodes(node["body"], frame)
            frame.iterations.pop()
        elif node["kind"] == "condition":
            if self.value(node["taken"], frame, {}):
                yield from self.nodes(node["body"], frame)
        elif node["kind"] == "invocation":
            self.invocations += 1
            passed = {p["name"]: p.get("value", p.get("who")) for p in node["passed"]}
            inner = Frame(frame, passed, self.invocations)
            yield from self.nodes(self.procedures[node["procedure"]]["body"], inner)
        else:
            yield from self.nodes(node["body"], frame)

    def call(self, node: Json, frame: Frame) -> tuple[str, dict[str, Json]]:
        made: dict[str, Json] = {}
        # What ranks are of is known before them.
        for a in sorted(node["arguments"], key=lambda a: a["name"] not in ("comm", "win")):
            more: dict[str, int] = {}
            group = made.get("comm", made.get("win"))
            if group in self.members:
                more["comm_rank"], more["comm_size"] = self.members[group]
            if "value" in a:
                made[a["name"]] = self.value(a["value"], frame, more)
                continue
            length = int(self.value(a["length"], frame, more))
            made[a["name"]] = [
                self.value(a["elements"], frame, {**more, "index": k, "length": length}) for k in range(length)
            ]
        for name in made:
            if f"{name}_rank" in made:
                self.members[made[name]] = (made[f"{name}_rank"], made[f"{name}_size"])
        return node["function"], made

    def holds(self, who: Json, frame: Frame) -> bool:
        if who is None:
            return True
        ((form, content),) = who.items()
        if form == "condition":
            return bool(self.evaluate(content, self.known))
        if form == "group":
            return self.stream in self.groups[content]
        if form == "streams":
            return self.stream in self.table(content)
        assert frame.caller
        return self.holds(frame.passed[content], frame.caller)

    def value(self, value: Json, frame: Frame, more: dict[str, int], once: int | None = None) -> Number:
        """`once`: the invocation for which what is passed goes on once."""
        ((form, content),) = value.items()
        if form == "parameter":
            assert frame.caller
            return self.value(frame.passed[content], frame.caller, more, frame.number)
        if form == "cases":
            here = next(c for c in content if self.holds(c["who"], frame))
            return self.value(here["value"], frame, more, once)
        if form == "expression":
            return self.evaluate(content, {**self.known, **frame.indices, **more})
        if form == "neighbor":
            times = 1
            if "distance" in content:
                assert frame.caller
                times = int(self.value(frame.passed[content["distance"]], frame.caller, more, frame.number))
            return self.neighbor(content, times)
        if form == "by_stream":
            return self.table(content["values"])[self.table(content["streams"]).index(self.stream)]
        at = self.position(content, frame, more, once)
        if form == "alternation":
            return self.value(content["laws"][at % len(content["laws"])], frame, more)
        return self.decode(self.table(content["values"])[at], content["encoding"], more)

    def position(self, content: Json, frame: Frame, more: dict[str, int], once: int | None) -> int:
        if content.get("each_time"):
            return more["index"]
        if (by := content.get("by_loop")) and "index" not in more:
            return (frame.indices[by["index"]] - by["first"]) // by.get("per", 1)
        p = self.progress.setdefault(id(content), Progress())
        if once is not None and "index" not in more and p.invocation == once:
            return p.last
        scope = content["scope"]
        entry = (0, frame.number) if scope == 0 else (1, frame.iterations[scope - 1])
        if p.entry != entry:
            p.position, p.entry = 0, entry
        p.last, p.invocation = p.position, once if once is not None else -1
        p.position += 1
        return p.last

    def decode(self, written: Number, encoding: str, more: dict[str, int]) -> Number:
        if encoding == "absolute" or isinstance(written, str) or written < 0:
            return written
        rank, size = more["comm_rank"], more["comm_size"]
        if encoding == "xor":
            return written ^ rank
        return (written + rank) % size if written < size else written

    def neighbor(self, n: Json, times: int) -> Number:
        rest, out, stride = self.known["rank"], 0, 1
        for extent, step, wraps in zip(self.extents, n["steps"], n["wraps"]):
            to = rest % extent + times * step
            rest //= extent
            if not 0 <= to < extent and not wraps:
                return PROC_NULL
            out += to % extent * stride
            stride *= extent
        return out

    def table(self, series: Json) -> list[Number]:
        if id(series) not in self.tables:
            self.tables[id(series)] = list(expand(series))
        return self.tables[id(series)]

    def evaluate(self, e: Json, known: dict[str, int]) -> Any:
        if isinstance(e, int):
            return e
        if isinstance(e, str):
            return known[e]
        if isinstance(e, dict):
            return e["constant"]
        operator, *operands = e
        if operator == "&&":
            return all(self.evaluate(o, known) for o in operands)
        if operator == "||":
            return any(self.evaluate(o, known) for o in operands)
        if operator == "?":
            return self.evaluate(operands[1 if self.evaluate(operands[0], known) else 2], known)
        values = [self.evaluate(o, known) for o in operands]
        if operator == "-":
            return -values[0] if len(values) == 1 else values[0] - values[1]
        return int(reduce(OPERATORS[operator], values) if len(values) == 2 else OPERATORS[operator](*values))
