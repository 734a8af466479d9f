#!/usr/bin/env python3
"""Prints a trace, read by docs/trace_format.md alone: proof that the page says all that a reader needs.

    decode_trace.py FILE             the header, the call paths and the program as a tree
    decode_trace.py FILE --rank 3    the calls of one rank in order, as `reprise show --flat --rank 3` prints them
    decode_trace.py FILE --times     a line for each delta of each call, with its histograms

Needs Python's standard library, and for the decompression its module `zstandard` or the program `zstd`. The names of
columns and datatypes come from spec/. It does not check the checksum (XXH3), and it is slow.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "spec"))

from generate import Column, all_columns, communicator  # noqa: E402
from table import HERE as SPEC_FOLDER  # noqa: E402
from table import load_all  # noqa: E402

MAGIC = b"REPRISE"
UNFINISHED = "unfinished"
RANK = "rank"
VERSION, SECTIONS_VERSION = 3, 4
UNBOUNDED = 0
BITS = 1 << 64

SPECIAL_BASE = -(1 << 63)
SPECIAL_COUNT = 63
SPECIAL_NAMES = [
    "-", "MPI_PROC_NULL", "MPI_ANY_SOURCE", "MPI_ANY_TAG", "MPI_ROOT", "MPI_UNDEFINED", "NULL", "MPI_IN_PLACE",
    "MPI_BOTTOM", "MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY", "unknown",
    "cancelled",
]  # fmt: skip
WORLD, SELF = 0, 1
FIRST_MADE = {"datatype": 128, "op": 64}
ABSOLUTE, RELATIVE, EXCLUSIVE_OR = 0, 1, 2
MAX_REQUEST_THREADS = 4096
TIME_MODES = ["none", "stats", "histogram", "paths"]


class FormatError(Exception):
    """The file is not what docs/trace_format.md describes."""


def wrapped(value: int) -> int:
    """Two's complement of 64 bits."""
    return (value + (BITS >> 1)) % BITS - (BITS >> 1)


def is_special(value: int) -> bool:
    return value < SPECIAL_BASE + SPECIAL_COUNT


class Reader:
    """The primitives of the format, over bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise FormatError("the data ends early")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def signed(self) -> int:
        return unzigzag(self.varint())

    def raw(self, size: int) -> bytes:
        self.at += size
        if self.at > len(self.data):
            raise FormatError("the data ends early")
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.raw(self.varint()).decode(errors="replace")

    def value(self) -> int:
        number = self.varint()
        if number % 2 == 0:
            return unzigzag(number >> 1)
        if number == 127:
            return int.from_bytes(self.raw(8), "little", signed=True)
        return SPECIAL_BASE + (number >> 1)


def unzigzag(number: int) -> int:
    return (number >> 1) ^ -(number & 1)


# Series.


@dataclass
class Term:
    """`count` values from `first` on, `step` apart; or, with a body, `count` passes of it, `step` apart."""

    first: int
    step: int
    count: int
    body: list[Term] = field(default_factory=list)


def read_series(reader: Reader) -> list[Term]:
    terms: list[Term] = []
    for _ in range(reader.varint()):
        head = reader.varint()
        count, kind = head >> 2, head & 3
        if kind == 0:
            terms += [Term(reader.value(), 0, 1) for _ in range(count)]
        elif kind == 1:
            terms.append(Term(reader.value(), 0, count))
        elif kind == 2:
            terms.append(Term(reader.value(), reader.signed(), count))
        else:
            terms.append(Term(0, reader.signed(), count, read_series(reader)))
    return terms


def walk_series(terms: list[Term], shift: int = 0) -> Iterator[int]:
    for term in terms:
        k = 0
        while term.count == UNBOUNDED or k < term.count:
            moved = shift + k * term.step
            if term.body:
                yield from walk_series(term.body, moved)
            else:
                yield wrapped(term.first + moved)
            k += 1


def nth(terms: list[Term], k: int) -> int:
    """The k-th value; 0 behind the end."""
    shift = 0
    while True:
        for term in terms:
            if term.count == UNBOUNDED or k < length([term]):
                break
            k -= length([term])
        else:
            return 0
        period = length(term.body) if term.body else 1
        shift += term.step * (k // period)
        if not term.body:
            return wrapped(term.first + shift)
        k, terms = k % period, term.body


def length(terms: list[Term]) -> int:
    return sum(term.count * (length(term.body) if term.body else 1) for term in terms)


# Values.


@dataclass
class Value:
    encoding: int
    by_stream: list[Term]
    classes: list[list[Term]]

    def of_stream(self, stream: int) -> Iterator[int]:
        """The values of one stream, execution after execution; then zeros."""
        if not self.classes:
            number = nth(self.by_stream, stream)
            while True:
                yield number
        chosen = nth(self.by_stream, stream) if len(self.classes) > 1 else 0
        yield from walk_series(self.classes[chosen])
        while True:
            yield 0


def constant(value: int) -> list[Term]:
    return [Term(value, 0, UNBOUNDED)]


def read_value(reader: Reader) -> Value:
    head = reader.byte()
    if head >= 128:
        return Value(ABSOLUTE, constant(head - 128), [])
    encoding, form = head >> 2, head & 3
    if encoding > EXCLUSIVE_OR:
        raise FormatError("an unknown encoding of a value")
    if form == 0:
        return Value(encoding, read_series(reader), [])
    if form == 1:
        return Value(encoding, constant(reader.value()), [])
    if form == 2:
        return Value(encoding, [], [read_series(reader)])
    classes = [read_series(reader) for _ in range(reader.varint())]
    return Value(encoding, read_series(reader), classes)


# Times.


@dataclass
class Bin:
    """Values of one histogram from `least` to `most` [ns]."""

    count: int
    total: int
    least: int
    most: int
    deviation: int


@dataclass
class Delta:
    """A duration that recurs, over the executions of all streams."""

    classes: list[list[Bin]]  # a histogram for each class of streams
    class_of: list[Term]
    counts: list[Term]
    sums: list[Term]  # none: declined
    sum_step: int = 0  # of `sums`, beyond what the class takes [ns]; 0: they are the sums
    min_stream: int = 0
    max_stream: int = 0
    concordance: float = 0

    def bins(self) -> list[Bin]:
        return [b for bins in self.classes for b in bins]


@dataclass
class CallTimes:
    communicate: Delta
    paths: list[tuple[int | None, Delta]]  # the call before: its index, START, or None if paths are not kept apart
    arrivals: Value | None


START = -1


class TimesReader:
    """Reads the times of calls, in their order."""

    def __init__(self, reader: Reader, precision: int, steps: tuple[int, int], streams: int) -> None:
        self.reader, self.steps, self.streams = reader, steps, streams
        self.bits = 2  # of a rounded duration; 63: durations are exact
        while self.bits < 63 and (precision == 0 or 1000000 >> self.bits > precision):
            self.bits += 1
        self.shared: list[list[Term]] = []
        self.call = 0

    def read(self) -> CallTimes:
        communicate = self._delta(self.steps[1])
        paths: list[tuple[int | None, Delta]] = []
        for _ in range(self.reader.varint()):
            written = self.reader.varint()
            source = {0: START, 1: None}.get(written, self.call - 1 - unzigzag(written - 2))
            paths.append((source, self._delta(self.steps[0])))
            if modes := self.reader.varint():
                for _ in range(modes):
                    self._delta(self.steps[0])
                read_value(self.reader)
        self.call += 1
        return CallTimes(communicate, paths, read_value(self.reader) if len(paths) > 1 else None)

    def _shared(self) -> list[Term]:
        if number := self.reader.varint():
            return self.shared[number - 1]
        self.shared.append(read_series(self.reader))
        return self.shared[-1]

    def _delta(self, step: int) -> Delta:
        head = self.reader.varint()
        if head == 0:
            return Delta([], [], [], [])
        classes, sums = head >> 3, head & 3
        counts = self._shared()
        class_of = self._shared() if classes > 1 else constant(0)
        delta = Delta([], class_of, counts, read_series(self.reader) if sums else [], [0, 0, step, 1][sums])
        left = sum(itertools.islice(walk_series(counts), self.streams)) if self.bits < 63 else 0
        for i in range(classes):
            histogram = self._rounded(left, i + 1 == classes) if self.bits < 63 else self._exact()
            left -= sum(b.count for b in histogram)
            delta.classes.append(histogram)
        delta.min_stream, delta.max_stream = self.reader.varint(), self.reader.varint()
        delta.concordance = self.reader.byte() / 255 if head & 4 else 0
        return delta

    def _exact(self) -> list[Bin]:
        bins = []
        most = 0
        for _ in range(self.reader.varint()):
            count, least = self.reader.varint(), most + self.reader.signed()
            most = least + self.reader.varint()
            total = count * least + self.reader.varint()
            bins.append(Bin(count, total, least, most, self.reader.varint()))
        return bins

    def _rounded(self, left: int, is_last: bool) -> list[Bin]:
        bins: list[Bin] = []
        most = 0
        n = self.reader.varint()
        for i in range(n):
            count = left - sum(b.count for b in bins) if is_last and i + 1 == n else self.reader.varint()
            least = most + self.reader.signed()
            mean = least + self.reader.varint()
            most = mean + self.reader.varint()
            spread = self.reader.byte() if most > least else 0
            low, high = self._duration(least), self._duration(most)
            deviation = round((high - low) * 2 ** ((1 - spread) / 8)) if spread else 0
            bins.append(Bin(count, count * self._duration(mean), low, high, deviation))
        return bins

    def _duration(self, number: int) -> int:
        magnitude = abs(number)
        if magnitude >> self.bits:
            shift = (magnitude >> (self.bits - 1)) - 1
            magnitude = (magnitude - (shift << (self.bits - 1))) << shift
        return -magnitude if number < 0 else magnitude


# The body of a file.


@dataclass
class Frame:
    function: str
    place: str  # "file:line" or "module+offset"


@dataclass
class Call:
    function: str
    callpath: list[Frame]  # the outermost first
    columns: list[Value]


@dataclass
class Item:
    call: Call | None
    trips: Value
    body: list[Item]


@dataclass
class Trace:
    facts: dict[str, object]
    ranks: int
    threads: int
    calls: list[Call]
    root: Item
    times: list[CallTimes]  # of the calls, if there are any
    sections: list[str]  # their names; with laws this is no trace of any run
    unfinished: list[Item]


class Functions:
    """The columns of each MPI function, from spec/."""

    def __init__(self) -> None:
        self._table = load_all()

    def scalars(self, name: str) -> list[Column]:
        return [c for c in all_columns(self._table.functions[name]) if not c.is_list]

    def lists(self, name: str) -> list[Column]:
        return [c for c in all_columns(self._table.functions[name]) if c.is_list]

    def communicator(self, name: str) -> int:
        return communicator(self._table.functions[name], self.scalars(name))

    def columns(self, name: str) -> int:
        if name not in self._table.functions:
            raise FormatError(f"the unknown function {name}")
        return len(self.scalars(name)) + 2 * len(self.lists(name))


def read_frame(reader: Reader, texts: list[str], modules: list[str]) -> Frame:
    head = reader.varint()
    if head & 1:
        file, line = texts[reader.varint()], reader.varint()
        return Frame(texts[head >> 1], f"{file}:{line}")
    offset, function = reader.varint(), reader.varint()
    return Frame(texts[function], f"{modules[head >> 1]}+{offset:#x}")


def read_callpaths(reader: Reader, frames: list[Frame]) -> list[list[Frame]]:
    paths: list[list[Frame]] = []
    path: list[Frame] = []
    for _ in range(reader.varint()):
        path = path[: reader.varint()]
        path = path + [frames[reader.varint()] for _ in range(reader.varint())]
        paths.append(path)
    return paths


def skip_code(reader: Reader) -> None:
    """Where call paths lie in the machine code: it tells loops, which the trace has as items."""
    for _ in range(reader.varint()):
        loops = reader.varint() >> 1
        for _ in range(loops):
            if reader.varint() > loops:
                reader.varint()  # the number of iterations
        for _ in range(reader.varint()):
            reader.varint()
        for _ in range(2 * reader.varint()):
            reader.varint()
    for _ in range(reader.varint()):
        for _ in range(reader.varint()):
            reader.varint()
            for _ in range(2 * reader.varint()):
                reader.varint()


def read_item(reader: Reader, calls: list[Call]) -> Item:
    number = reader.varint()
    items = reader.varint() if number == 0 else 0
    trips = read_value(reader)
    return Item(calls[number - 1] if number else None, trips, [read_item(reader, calls) for _ in range(items)])


def read_body(reader: Reader, functions: Functions) -> Trace:
    facts: dict[str, object] = {"program": reader.text(), "mpi": reader.text(), "options": reader.text()}
    facts["date [s since 1970]"] = reader.signed()
    facts["duration [us]"] = reader.varint()
    ranks, threads = reader.varint(), reader.varint()
    facts |= {"ranks": ranks, "threads": threads, "symbolized": bool(reader.varint())}
    for _ in range(reader.varint()):
        what = reader.text()
        facts[f"lost: {what}"] = reader.varint()
    texts = [""] + [reader.text() for _ in range(reader.varint())]
    modules = []
    for _ in range(reader.varint()):
        modules.append(reader.text())
        reader.text()  # the build id
    frames = [read_frame(reader, texts, modules) for _ in range(reader.varint())]
    callpaths = read_callpaths(reader, frames)
    skip_code(reader)
    wrappers = [(texts[reader.varint()], texts[reader.varint()]) for _ in range(reader.varint())]
    facts["wrappers"] = " ".join(sorted(function for function, _ in wrappers)) or "none"
    used = []
    for _ in range(reader.varint()):
        used.append(read_function(reader))
        if functions.columns(used[-1]) != reader.varint():
            raise FormatError(f"{used[-1]} has other columns here than in spec/")
    calls = []
    for _ in range(reader.varint()):
        name, path = used[reader.varint()], callpaths[reader.varint()]
        calls.append(Call(name, path, [read_value(reader) for _ in range(functions.columns(name))]))
    root = read_item(reader, calls)
    mode = reader.byte()
    if mode >= len(TIME_MODES):
        raise FormatError("an unknown kind of times")
    facts["times"] = TIME_MODES[mode]
    times = []
    if mode:
        facts |= {"clock": reader.text(), "taken by the recorder [ns]": reader.varint(),
                  "waited for a core [ns]": reader.varint()}
        precision = reader.varint()
        facts["precision of times [millionths]"] = precision
        steps = (reader.varint(), reader.varint()) if precision else (0, 0)
        read = TimesReader(reader, precision, steps, ranks * threads)
        times = [read.read() for _ in calls]
    sections = []
    unfinished: list[Item] = []
    if reader.at != len(reader.data):
        for _ in range(reader.varint()):
            name, version = reader.text(), reader.varint()
            content = reader.raw(reader.varint())
            if name == UNFINISHED and version in (1, 2):
                unfinished = read_unfinished(Reader(content), version, functions, callpaths, facts)
            elif name != RANK or version != 4:  # what merging needs, beside the calls
                sections.append(name)
                facts[f"section {name}"] = f"version {version}, {len(content)} bytes"
    if reader.at != len(reader.data):
        raise FormatError("data behind the end")
    return Trace(facts, ranks, threads, calls, root, times, sections, unfinished)


def read_function(reader: Reader) -> str:
    """Its full name: "Send" is MPI_Send, and what begins with a small letter is POSIX's."""
    name = reader.text()
    return name if name[:1].islower() else f"MPI_{name}"


def read_unfinished(
    reader: Reader, version: int, functions: Functions, callpaths: list[list[Frame]], facts: dict[str, object]
) -> list[Item]:
    facts["waited [s]"] = describe_value("integer", read_value(reader))
    facts["missing calls"] = describe_value("integer", read_value(reader))
    if version > 1:
        facts["signal"] = describe_value("integer", read_value(reader))
        facts["signal to a thread without calls"] = describe_value("integer", read_value(reader))
    items = []
    for _ in range(reader.varint()):
        name = read_function(reader)
        if functions.columns(name) != reader.varint():
            raise FormatError(f"{name} has other columns here than in spec/")
        path = callpaths[reader.varint()]
        call = Call(name, path, [read_value(reader) for _ in range(functions.columns(name))])
        items.append(Item(call, read_value(reader), []))
    return items


def decompress(frame: bytes) -> bytes:
    try:
        import zstandard
    except ImportError:
        try:
            return subprocess.run(["zstd", "-d", "-c"], input=frame, capture_output=True, check=True).stdout
        except FileNotFoundError:
            raise FormatError("neither Python's zstandard nor the program zstd is installed; install one") from None
        except subprocess.CalledProcessError as error:
            raise FormatError(f"decompression failed: {error.stderr.decode().strip()}") from None
    try:
        return zstandard.ZstdDecompressor().decompress(frame)
    except zstandard.ZstdError as error:
        raise FormatError(f"decompression failed: {error}") from None


def read_trace(path: Path, functions: Functions) -> Trace:
    data = path.read_bytes()
    if not data.startswith(MAGIC) or len(data) < 16:
        raise FormatError("it is not a trace")
    if data[7] not in (VERSION, SECTIONS_VERSION):
        raise FormatError(f"it has version {data[7]} of the format, this program reads {VERSION} and {SECTIONS_VERSION}")
    try:
        return read_body(Reader(decompress(data[16:])), functions)
    except IndexError:
        raise FormatError("an index is out of range") from None


# Walking one stream.


class Walk:
    """The calls of one stream, in order, as texts."""

    def __init__(self, trace: Trace, functions: Functions, stream: int) -> None:
        self._trace = trace
        self._functions = functions
        self._stream = stream
        self._trips: dict[int, Iterator[int]] = {}
        self._columns: dict[int, list[Iterator[int]]] = {}
        # (rank of the stream, size), by communicator and by window.
        self._members: dict[str, dict[int, tuple[int, int]]] = {
            "comm": {WORLD: (stream // trace.threads, trace.ranks), SELF: (0, 1)},
            "window": {},
        }
        self._knows_threads = trace.threads == 1

    def walk(self, item: Item) -> Iterator[str]:
        trips = self._trips.setdefault(id(item), item.trips.of_stream(self._stream))
        for _ in range(next(trips)):
            if item.call:
                yield self._event(item.call)
            for inner in item.body:
                yield from self.walk(inner)

    def _event(self, call: Call) -> str:
        scalars, lists = self._functions.scalars(call.function), self._functions.lists(call.function)
        columns = self._columns.setdefault(id(call), [v.of_stream(self._stream) for v in call.columns])
        written = [next(columns[i]) for i in range(len(scalars))]
        where = self._functions.communicator(call.function)
        rank, size = self._membership(scalars[where].kind, written[where]) if where >= 0 else (0, 0)

        def decode(column: Column, i: int, value: int) -> int:
            if column.kind not in ("peer", "matched"):
                return value
            return decode_rank(call.columns[i].encoding, value, rank, size)

        values = [decode(column, i, written[i]) for i, column in enumerate(scalars)]
        words = [call.function] + [f"{c.name}={describe(c.kind, v)}" for c, v in zip(scalars, values)]
        for l, column in enumerate(lists):
            i = len(scalars) + 2 * l
            elements = [decode(column, i + 1, next(columns[i + 1])) for _ in range(next(columns[i]))]
            words.append(f"{column.name}=[{','.join(describe(column.kind, v) for v in elements)}]")
        self._learn(scalars, values)
        return " ".join(words)

    def _membership(self, kind: str, number: int) -> tuple[int, int]:
        if number not in self._members[kind] and not is_special(number) and not self._knows_threads:
            self._learn_from_threads()
        return self._members[kind].get(number, (0, 0))

    def _learn_from_threads(self) -> None:
        """What the other threads of the rank make is not met on the way through this one."""
        self._knows_threads = True
        first = self._stream - self._stream % self._trace.threads
        for stream in range(first, first + self._trace.threads):
            if stream == self._stream:
                continue
            for call, times in executions(self._trace.root, stream, 1):
                scalars = self._functions.scalars(call.function)
                if not any(c.name.endswith("_rank") for c in scalars):
                    continue
                columns = [v.of_stream(stream) for v in call.columns[: len(scalars)]]
                for _ in range(times):
                    self._learn(scalars, [next(column) for column in columns], new_only=True)

    def _learn(self, scalars: list[Column], values: list[int], new_only: bool = False) -> None:
        """A call that returns a communicator or window tells the stream's rank in it and its size."""
        for i, column in enumerate(scalars):
            made = i + 2 < len(scalars) and scalars[i + 1].name == f"{column.name}_rank"
            if not made or column.kind not in self._members or is_special(values[i]):
                continue
            if not (new_only and values[i] in self._members[column.kind]):
                self._members[column.kind][values[i]] = (values[i + 1], values[i + 2])


def executions(item: Item, stream: int, passes: int) -> Iterator[tuple[Call, int]]:
    """How often a stream executes each call in an item that it comes by `passes` times, without walking."""
    trips = item.trips.of_stream(stream)
    times = sum(next(trips) for _ in range(passes))
    if item.call:
        yield item.call, times
    for inner in item.body:
        yield from executions(inner, stream, times)


def decode_rank(encoding: int, written: int, rank: int, size: int) -> int:
    if written < 0 or encoding == ABSOLUTE:
        return written
    if encoding == EXCLUSIVE_OR:
        return written ^ rank
    return (written + rank) % size if written < size else written


# Printing.


def predefined(word: str) -> list[str]:
    lines = (SPEC_FOLDER / "predefined.txt").read_text(encoding="utf-8").splitlines()
    return [line.split()[1] for line in lines if line.startswith(f"{word} ")]


PREDEFINED = {"datatype": predefined("datatype"), "op": predefined("op")}


def describe(kind: str, value: int) -> str:
    if is_special(value):
        index = value - SPECIAL_BASE
        return SPECIAL_NAMES[index] if index < len(SPECIAL_NAMES) else str(value)
    if kind in PREDEFINED:
        if 0 <= value < len(PREDEFINED[kind]):
            return PREDEFINED[kind][value]
        return f"{'type' if kind == 'datatype' else 'op'}{value - FIRST_MADE[kind]}"
    if kind == "request" and value < 0:
        return f"thread{(-1 - value) % MAX_REQUEST_THREADS}/{(-1 - value) // MAX_REQUEST_THREADS}"
    return str(value)


def describe_series(kind: str, terms: list[Term]) -> str:
    words = []
    for term in terms:
        times = "..." if term.count == UNBOUNDED else f"x{term.count}" if term.count > 1 else ""
        step = f"{term.step:+}" if term.step else ""
        inner = f"({describe_series(kind, term.body)})" if term.body else describe(kind, term.first)
        words.append(f"{inner}{step}{times}")
    return " ".join(words)


def describe_value(kind: str, value: Value) -> str:
    prefix = {ABSOLUTE: "", RELATIVE: "rank+", EXCLUSIVE_OR: "rank^"}[value.encoding]
    if len(value.classes) == 1:
        return f"{prefix}{{{describe_series(kind, value.classes[0])}}}"
    if not value.classes and len(value.by_stream) == 1 and value.by_stream[0].count == UNBOUNDED:
        term = value.by_stream[0]
        if not term.body and not term.step:
            return prefix * (not is_special(term.first)) + describe(kind, term.first)
    streams = describe_series("integer" if value.classes else kind, value.by_stream)
    classes = " ".join(f"{{{describe_series(kind, c)}}}" for c in value.classes)
    return f"{prefix}[{streams}]{classes}"


def print_item(item: Item, functions: Functions, depth: int) -> None:
    trips = describe_value("integer", item.trips)
    indent = "  " * depth
    if item.call:
        names = functions.scalars(item.call.function)
        lists = functions.lists(item.call.function)
        columns = names + [c for column in lists for c in (Column(f"{column.name}.length", "integer"), column)]
        words = [f"{c.name}={describe_value(c.kind, v)}" for c, v in zip(columns, item.call.columns)]
        places = " > ".join(f"{frame.function} {frame.place}" for frame in item.call.callpath)
        print(f"{indent}{trips} x {item.call.function} {' '.join(words)}  # {places}")
        return
    print(f"{indent}{trips} x")
    for inner in item.body:
        print_item(inner, functions, depth + 1)


def print_times(trace: Trace) -> None:
    for call, times in zip(trace.calls, trace.times):
        places = " > ".join(f"{frame.function} {frame.place}" for frame in call.callpath)
        print_delta(trace, "communicate", call.function, places, times.communicate)
        for source, compute in times.paths:
            after = "" if source is None else " after the start" if source == START else f" after {trace.calls[source].function}"
            print_delta(trace, "compute", call.function, places + after, compute)


def print_delta(trace: Trace, what: str, function: str, where: str, delta: Delta) -> None:
    """What, function, executions, total, least and greatest [ns] with their ranks; then each histogram."""
    bins = delta.bins()
    if not bins:
        return
    least = f"{min(b.least for b in bins)} {delta.min_stream // trace.threads}"
    most = f"{max(b.most for b in bins)} {delta.max_stream // trace.threads}"
    print(f"{what} {function} {sum(b.count for b in bins)} {sum(b.total for b in bins)} {least} {most}  # {where}")
    for i, histogram in enumerate(delta.classes):
        spans = " ".join(f"{b.count}x[{b.least}..{b.most}]~{b.total // b.count}" for b in histogram)
        print(f"  class {i}: {spans}")
    print(f"  classes by stream: {describe_series('integer', delta.class_of)}")
    print(f"  executions by stream: {describe_series('integer', delta.counts)}")
    if delta.sums:
        unit = f" in steps of {delta.sum_step} beyond its class" if delta.sum_step else ""
        print(f"  spent by stream{unit}: {describe_series('integer', delta.sums)}")
    print(f"  concordance {delta.concordance:.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Prints a trace, by docs/trace_format.md alone.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--rank", type=int, help="print the calls of this rank instead of the tree")
    parser.add_argument("--times", action="store_true", help="print the times instead of the tree")
    parser.add_argument("--thread", type=int, default=0, help="of this thread of the rank")
    options = parser.parse_args()
    functions = Functions()
    sys.setrecursionlimit(10_000)
    try:
        trace = read_trace(options.file, functions)
    except (OSError, FormatError) as error:
        print(f"{options.file} cannot be read ({error})", file=sys.stderr)
        return 1
    if trace.sections and (options.times or options.rank is not None):
        print(f"{options.file} is not a trace of a run (it has the section {', '.join(trace.sections)})", file=sys.stderr)
        return 1
    if options.times:
        print_times(trace)
        return 0
    if options.rank is None:
        for name, value in trace.facts.items():
            print(f"# {name}: {value}")
        print_item(trace.root, functions, 0)
        for item in trace.unfinished:
            print("had not returned:", end=" ")
            print_item(item, functions, 0)
        return 0
    if not (0 <= options.rank < trace.ranks and 0 <= options.thread < trace.threads):
        print(f"{options.file} has {trace.ranks} ranks of {trace.threads} threads", file=sys.stderr)
        return 2
    walk = Walk(trace, functions, options.rank * trace.threads + options.thread)
    for line in walk.walk(trace.root):
        print(line)
    for item in trace.unfinished:
        for line in walk.walk(item):
            print(line, "# had not returned")
    return 0


if __name__ == "__main__":
    sys.exit(main())
