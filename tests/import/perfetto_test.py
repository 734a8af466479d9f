"""Exports a recorded program to Perfetto, decodes it with protoc by Perfetto's schema, and compares slices, flows and
arguments with the trace; then the same with a simulated run, as `reprise simulate --timeline` writes it."""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import trace_text  # noqa: E402
from check import Checks  # noqa: E402
from launch import command, environment, options_parser  # noqa: E402

INT = 4  # [bytes]; the program's messages have these alone
FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|\S+)')


def decode(protoc: str, path: Path) -> list[dict]:
    """The packets, as dictionaries of lists."""
    with path.open("rb") as source:
        text = subprocess.run([protoc, f"-I{HERE}", "--decode=perfetto.protos.Trace", "perfetto.proto"], stdin=source,
                              capture_output=True, text=True, check=True).stdout
    stack: list[dict] = [defaultdict(list)]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            inner: dict = defaultdict(list)
            stack[-1][line.split()[0]].append(inner)
            stack.append(inner)
        elif line == "}":
            stack.pop()
        else:
            field = FIELD.match(line)
            # Fields that the schema does not have are numbers.
            stack[-1][field[1] if field else "unknown"].append(field[2].strip('"') if field else line)
    return stack[0]["packet"]


def names_of(packets: list[dict]) -> tuple[dict, dict]:
    """Of events and of arguments, by their numbers."""
    data = packets[0]["interned_data"][0]
    return tuple({e["iid"][0]: e["name"][0] for e in data[field]} for field in ("event_names", "debug_annotation_names"))


class Slices:
    """What a viewer makes of the packets."""

    def __init__(self, checks: Checks, packets: list[dict]) -> None:
        names, arguments = names_of(packets)
        self.tracks = [t["name"][0] for p in packets for t in p["track_descriptor"] if t["name"]]
        self.calls: dict[int, Counter] = defaultdict(Counter)
        self.times: Counter = Counter()
        sent: dict[str, tuple] = {}
        received: dict[str, tuple] = {}
        is_nested, last, open_ = True, Counter(), {}
        for packet in packets:
            is_nested = is_nested and "unknown" not in packet
            for event in packet["track_event"]:
                rank, time, kind = int(event["track_uuid"][0]) - 1, int(packet["timestamp"][0]), event["type"][0]
                is_nested = is_nested and time >= last[rank]
                last[rank] = time
                values = [(arguments[a["name_iid"][0]], int(a["int_value"][0])) for a in event["debug_annotations"]]
                said = dict(values)
                if kind == "TYPE_SLICE_BEGIN":
                    is_nested = is_nested and rank not in open_
                    open_[rank] = names[event["name_iid"][0]].split()[0], time
                    self.calls[rank][open_[rank][0]] += 1
                    for flow in event["flow_ids"]:
                        sent[flow] = rank, said["peer"], said["tag"], said["bytes"]
                elif kind == "TYPE_SLICE_END":
                    name, begin = open_.pop(rank)
                    self.times[name] += time - begin
                else:
                    for flow in event["terminating_flow_ids"]:
                        received[flow] = said["peer"], rank, said["tag"], said["bytes"]
        checks.true("slices follow each other", is_nested and not open_, str(open_))
        checks.equal("flows begin and end with the same message", sent, received)
        self.messages = Counter((s[0], s[1]) for s in sent.values())
        self.bytes: Counter = Counter()
        for source, dest, _, size in sent.values():
            self.bytes[source, dest] += size


class Timeline:
    """What a viewer makes of a simulated run: it sorts the events by time."""

    def __init__(self, checks: Checks, packets: list[dict]) -> None:
        names, arguments = names_of(packets)
        self.calls: dict[int, Counter] = defaultdict(Counter)
        self.computation: Counter = Counter()  # rank -> [ns]
        self.slices: Counter = Counter()  # rank -> those of computation
        self.end: Counter = Counter()
        open_, flows, is_nested = {}, defaultdict(list), True
        events = [(int(p["timestamp"][0]), e) for p in packets for e in p["track_event"]]
        for time, event in sorted(events, key=lambda e: e[0]):
            rank, kind = int(event["track_uuid"][0]) - 1, event["type"][0]
            self.end[rank] = max(self.end[rank], time)
            if kind == "TYPE_SLICE_BEGIN":
                is_nested = is_nested and rank not in open_
                open_[rank] = names[event["name_iid"][0]].split()[0], time
            elif kind == "TYPE_SLICE_END":
                name, begin = open_.pop(rank)
                if name == "compute":
                    self.computation[rank] += time - begin
                    self.slices[rank] += 1
                else:
                    self.calls[rank][name] += 1
            else:
                said = {arguments[a["name_iid"][0]]: int(a["int_value"][0]) for a in event["debug_annotations"]}
                for flow in event["flow_ids"]:
                    flows[flow].append(("sent", rank, said["peer"], said["bytes"], time))
                for flow in event["terminating_flow_ids"]:
                    flows[flow].append(("received", said["peer"], rank, said["bytes"], time))
        checks.true("slices of the timeline follow each other", is_nested and not open_, str(open_))
        are_paired = all(sorted(e[0] for e in ends) == ["received", "sent"] and ends[0][1:4] == ends[1][1:4] for ends in flows.values())
        checks.true("flows of the timeline begin and end with the same message", are_paired, str(flows))
        in_time = all(max(ends)[4] <= min(ends)[4] for ends in flows.values())
        checks.true("messages of the timeline are sent before they arrive", in_time, str(flows))
        self.messages = len(flows)


def check_timeline(checks: Checks, options, trace: trace_text.Trace, path: Path, folder: Path) -> None:
    file = folder / "run.pftrace"
    words = [options.reprise, "simulate", path, "--latency", "2us", "--bandwidth", "1GB/s", "--json", "--timeline", file]
    said = json.loads(subprocess.run([str(w) for w in words], check=True, timeout=200, capture_output=True).stdout)
    found = Timeline(checks, decode(options.protoc, file))
    checks.equal("calls of the timeline", [dict(found.calls[r]) for r in range(4)], [dict(c) for c in trace.calls])
    checks.equal("messages of the timeline", found.messages, said["messages"])
    for stream in said["streams"]:
        rank = stream["rank"]
        # Begin and end of each slice are cut to nanoseconds.
        off = abs(found.computation[rank] - 1e9 * stream["computation_s"])
        checks.true(f"computation of rank {rank} in the timeline", off <= found.slices[rank], f"{off} ns")
        checks.equal(f"end of rank {rank} in the timeline [ns]", found.end[rank], int(1e9 * stream["end_s"] + 1e-3))


def run(*words: object) -> None:
    subprocess.run([str(w) for w in words], check=True, timeout=200)


def main() -> int:
    parser = options_parser(__doc__)
    parser.add_argument("--protoc", required=True)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        path, exported = Path(name) / "first.reprise", Path(name) / "first.pftrace"
        words = [options.reprise, "record", "--time-precision", "0", "-o", path, "--", *command(options.mpi, 4, options.program)]
        subprocess.run([str(w) for w in words], env=environment(options.waiting), check=True, timeout=200,
                       stdout=subprocess.DEVNULL)
        run(options.reprise, "export", path, "--format", "perfetto", "-o", exported)
        trace, found = trace_text.read(options.reprise, path), Slices(checks, decode(options.protoc, exported))
        checks.equal("tracks", found.tracks, [f"rank {r}" for r in range(4)])
        for rank, calls in enumerate(trace.calls):
            counted = {f: n for f, n in found.calls[rank].items() if f != "compute"}
            checks.equal(f"calls of rank {rank}", counted, dict(calls))
        checks.equal("messages", dict(found.messages), dict(trace.messages))
        checks.equal("bytes", dict(found.bytes), {pair: INT * n for pair, n in trace.sent.items()})
        for function, total in trace.times.items():
            calls = sum(c[function] for c in trace.calls)
            checks.true(f"time in {function}", abs(found.times[function] - total) <= calls, f"{found.times[function]} for {total}")
        check_timeline(checks, options, trace, path, Path(name))
        part = Path(name) / "part.pftrace"
        run(options.reprise, "export", path, "--format", "perfetto", "-o", part, "--ranks", "1-2")
        some = Slices(checks, decode(options.protoc, part))
        checks.equal("ranks of the part", sorted(some.calls), [1, 2])
        checks.true("messages of the part", all({a, b} <= {1, 2} for a, b in some.messages), str(some.messages))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
