"""Reads Paraver traces without Reprise: what is in FILE.prv by FILE.pcf, as far as tests count it."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

CALL_TYPES = range(50000001, 50000006)
SENT, RECEIVED, ROOT, COMMUNICATOR = 50100001, 50100002, 50100003, 50100004


@dataclass
class Trace:
    ranks: int = 0
    duration: int = 0  # [ns]
    comms: dict[int, list[int]] = field(default_factory=dict)  # ranks of the world
    calls: list[Counter] = field(default_factory=list)
    times: list[Counter] = field(default_factory=list)  # of each rank: function -> [ns]
    messages: Counter = field(default_factory=Counter)  # (from, to)
    sent: Counter = field(default_factory=Counter)  # (from, to) -> [bytes]
    tags: Counter = field(default_factory=Counter)
    collectives: Counter = field(default_factory=Counter)  # (rank, function, sent, received, is root, members)
    callers: Counter = field(default_factory=Counter)  # (function of MPI, functions that lead there, the innermost first)
    records: list[tuple] = field(default_factory=list)  # (time, kind, rank)
    states: Counter = field(default_factory=Counter)  # rank -> [ns] in all states


def read_names(path: Path) -> dict[int, dict[int, str]]:
    """By type of event: the names of its values."""
    names: dict[int, dict[int, str]] = defaultdict(dict)
    types: list[int] = []
    section = ""
    for line in path.read_text().splitlines():
        words = line.split(None, 2)
        if line in ("EVENT_TYPE", "VALUES", "STATES", "STATES_COLOR") or not words:
            section = line or ""
            types = [] if line == "EVENT_TYPE" else types
        elif section == "EVENT_TYPE":
            types.append(int(words[1]))
        elif section == "VALUES":
            value, name = line.split(None, 1)
            for t in types:
                names[t][int(value)] = name
    return names


def read(path: Path) -> Trace:
    names = read_names(path.with_suffix(".pcf"))
    out = Trace()
    lines = iter(path.read_text().splitlines())
    header = next(lines)
    duration, _, _, rest = header[header.index("):") + 2 :].split(":", 3)
    out.duration = int(duration.removesuffix("_ns"))
    out.ranks = int(rest.split("(")[0])
    out.calls = [Counter() for _ in range(out.ranks)]
    out.times = [Counter() for _ in range(out.ranks)]
    entered: dict[int, tuple[str, int]] = {}
    for line in lines:
        if line.startswith("c:"):
            _, _, comm, _, *members = line.split(":")
            out.comms[int(comm)] = [int(m) - 1 for m in members]
            continue
        kind, *numbers = (int(n) for n in line.split(":"))
        rank, time = numbers[2] - 1, numbers[4]
        out.records.append((time, kind, rank))
        if kind == 1:
            out.states[rank] += numbers[5] - time
        elif kind == 3:
            pair = rank, numbers[8] - 1
            out.messages[pair] += 1
            out.sent[pair] += numbers[12]
            out.tags[pair, numbers[13]] += 1
        else:
            add_events(out, names, entered, rank, time, list(zip(numbers[5::2], numbers[6::2], strict=True)))
    return out


def add_events(out: Trace, names: dict[int, dict[int, str]], entered: dict[int, tuple[str, int]], rank: int, time: int,
               events: list[tuple[int, int]]) -> None:
    values = dict(events)
    for kind, value in events:
        if kind in CALL_TYPES and value == 0:
            function, begin = entered.pop(rank)
            out.times[rank][function] += time - begin
        elif kind in CALL_TYPES:
            function = names[kind][value]
            entered[rank] = function, time
            out.calls[rank][function] += 1
            levels = [t for t in values if 70000000 < t < 70000100]
            out.callers[function, tuple(names[t][values[t]] for t in sorted(levels))] += 1
            if SENT in values:
                members = tuple(out.comms[values[COMMUNICATOR]])
                out.collectives[rank, function, values[SENT], values[RECEIVED], values.get(ROOT, 0), members] += 1
