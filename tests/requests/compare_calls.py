#!/usr/bin/env python3
"""Compares a trace with what a library preloaded before the recorder saw the program call.

    compare_calls.py --reprise build/bin/reprise TRACE LOG_FOLDER

The library is tests/support/call_log.c. Of the functions that it knows, each rank's calls must be the same, in order:
names, counts, peers, tags, and which requests are started, completed and freed. A trace names requests by age; from
the calls in it follows which one that is, by the order in which they were made. Calls that returned an error are in
no trace, which counts them as lost. Open MPI carries a constructor that MPI 3 removed out by its successor, whose name
the trace then has.
"""

import argparse
import collections
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import walk  # noqa: E402

KNOWN = set(
    """MPI_Init MPI_Finalize MPI_Send MPI_Ssend MPI_Bsend MPI_Rsend MPI_Recv MPI_Sendrecv MPI_Isend MPI_Issend MPI_Ibsend
    MPI_Irsend MPI_Irecv MPI_Send_init MPI_Recv_init MPI_Start MPI_Startall MPI_Wait MPI_Waitall MPI_Waitany MPI_Test
    MPI_Testall MPI_Testany MPI_Request_free MPI_Barrier MPI_Bcast MPI_Reduce MPI_Allreduce MPI_Alltoall MPI_Allgather
    MPI_Alltoallv MPI_Comm_dup MPI_Comm_split MPI_Type_contiguous MPI_Type_create_subarray MPI_Type_create_struct
    MPI_Type_struct MPI_Type_commit MPI_File_open MPI_File_delete MPI_File_set_view MPI_File_write_at MPI_File_read_at
    MPI_File_write_at_all MPI_File_read_at_all MPI_File_close MPI_Init_thread""".split()
)
MAKES_REQUEST = re.compile(r"MPI_(I(?!nit|probe|mprobe|nter|nfo)[a-z_]+|\w+_init|R(put|get|accumulate|get_accumulate)|File_i\w+)")
SUCCESSORS = {"MPI_Type_struct": "MPI_Type_create_struct"}
COMPLETES = re.compile(r"MPI_(Wait|Test)(all|any|some)?|MPI_Request_free")
ARGUMENT = re.compile(r"(\w+)=(\S+)")


class Requests:
    """The pending requests of a rank, by the numbers of the order in which they were made."""

    def __init__(self) -> None:
        self.made = 0
        self.pending: list[int] = []
        self.persistent: set[int] = set()

    def number(self, age: str) -> str:
        return str(self.pending[-1 - int(age)]) if age.isdigit() and int(age) < len(self.pending) else age

    def apply(self, function: str, arguments: dict[str, str]) -> None:
        """What the call does; its arguments name requests by age, and by number afterwards."""
        ages = arguments.get("request", arguments.get("requests", "[]").strip("[]")).split(",")
        numbers = [self.number(age) for age in ages]
        if "request" in arguments:
            arguments["request"] = numbers[0]
        elif "requests" in arguments:
            arguments["requests"] = f"[{','.join(numbers)}]"
        if MAKES_REQUEST.fullmatch(function):
            self.pending.append(self.made)
            if function.endswith("_init"):
                self.persistent.add(self.made)
            self.made += 1
        elif COMPLETES.fullmatch(function):
            if arguments.get("index") == "MPI_UNDEFINED":
                return
            ended = [numbers[int(arguments["index"])]] if "index" in arguments else numbers
            for number in ended:
                if number.isdigit() and (function == "MPI_Request_free" or int(number) not in self.persistent):
                    self.pending.remove(int(number))


def calls_of_trace(reprise: str, trace: Path, rank: int) -> Iterator[tuple[str, dict[str, str]]]:
    requests = Requests()
    command = [reprise, "show", "--flat", "--rank", str(rank), str(trace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shown:
        assert shown.stdout
        for line in shown.stdout:
            function, _, rest = line.strip().partition(" ")
            arguments = dict(ARGUMENT.findall(rest))
            requests.apply(function, arguments)
            yield function, arguments


def calls_of_log(log: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The calls in order; each that returned an error is followed by "failed"."""
    with log.open() as lines:
        for line in lines:
            function, _, rest = line.strip().partition(" ")
            yield function, dict(ARGUMENT.findall(rest))


def are_same_requests(walked: str | None, logged: str) -> bool:
    """Whether lists of requests are equal but for those that the log does not know, since their handle was copied."""
    pairs = list(itertools.zip_longest((walked or "").strip("[]").split(","), logged.strip("[]").split(",")))
    return all(own == known or (own and own.isdigit() and known == "?") for own, known in pairs)


def is_same(walked: tuple[str, dict[str, str]], logged: tuple[str, dict[str, str]], may_copy: bool = False) -> bool:
    """Whether a call of the trace is the one that was logged; what does not count where it stands may be left out."""
    if walked[0] not in (logged[0], SUCCESSORS.get(logged[0])):
        return False
    left_out = ("-", "[]")  # as sendcount beside MPI_IN_PLACE; requests always count
    return all(
        walked[1].get(name) == value
        or (may_copy and name in ("request", "requests") and are_same_requests(walked[1].get(name), value))
        or (walked[1].get(name) in left_out and name not in ("request", "requests"))
        for name, value in logged[1].items()
    )


@dataclass
class Comparison:
    """What the ranks of a trace and of a log have in common, up to the first difference."""

    ranks: int = 0
    requests: int = 0  # named by calls
    failed: int = 0  # calls that returned an error: the trace has none of them, and counts as many lost
    counts: collections.Counter[str] = field(default_factory=collections.Counter)  # calls by function
    unlogged: collections.Counter[str] = field(default_factory=collections.Counter)  # of functions the log does not know
    difference: str = ""


def compare(reprise: str, trace: Path, folder: Path, may_copy: bool = False) -> Comparison:
    """Compares the calls of each rank, in order; stops at the first that differs. The program may copy handles."""
    logs = sorted(folder.glob("rank-*"), key=lambda path: int(path.name.removeprefix("rank-")))
    found = Comparison(ranks=len(logs))
    if not logs:
        found.difference = f"no logs in {folder}"

    def known_calls(rank: int) -> Iterator[tuple[str, dict[str, str]]]:
        for call in calls_of_trace(reprise, trace, rank):
            if call[0] in KNOWN:
                yield call
            else:
                found.unlogged[call[0]] += 1

    def calls_that_succeeded(log: Path) -> Iterator[tuple[str, dict[str, str]]]:
        last = None
        for call in calls_of_log(log):
            if call[0] == "failed":
                found.failed += 1
                last = None
                continue
            if last:
                yield last
            last = call
        if last:
            yield last

    for rank, log in enumerate(logs):
        for number, (walked, logged) in enumerate(itertools.zip_longest(known_calls(rank), calls_that_succeeded(log))):
            if not walked or not logged or not is_same(walked, logged, may_copy):
                found.difference = f"rank {rank}, call {number}:\n  trace: {walked}\n  log:   {logged}"
                return found
            found.counts[walked[0]] += 1
            named = logged[1].get("requests", "").count(",") + ("request" in logged[1] or "requests" in logged[1])
            found.requests += named
    lost = sum(walk.losses(reprise, trace).values())
    if lost != found.failed:
        found.difference = f"the trace has lost {lost} calls, and {found.failed} returned an error"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reprise", default="reprise")
    parser.add_argument("--counts", action="store_true", help="print how often each function was called")
    options = parser.parse_args()
    found = compare(options.reprise, options.trace, options.folder)
    if found.difference:
        print(found.difference, file=sys.stderr)
        return 1
    if options.counts:
        print("\n".join(f"{found.counts[name]:>10} {name}" for name in sorted(found.counts)))
    print(f"{found.ranks} ranks, {sum(found.counts.values())} calls, {found.requests} requests named: equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
