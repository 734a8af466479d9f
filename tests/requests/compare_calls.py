#!/usr/bin/env python3
"""Compares a trace with what a library preloaded before the recorder saw the program call.

    compare_calls.py --reprise build/bin/reprise TRACE LOG_FOLDER

The library is tests/support/call_log.c. Of the functions that it knows, each rank's calls must be the same, in order:
names, counts, peers, tags, and which requests are started, completed and freed. A trace names requests by age; from
the calls in it follows which one that is, by the order in which they were made.
"""

import argparse
import collections
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

KNOWN = set(
    """MPI_Init MPI_Finalize MPI_Send MPI_Ssend MPI_Bsend MPI_Rsend MPI_Recv MPI_Sendrecv MPI_Isend MPI_Issend MPI_Ibsend
    MPI_Irsend MPI_Irecv MPI_Send_init MPI_Recv_init MPI_Start MPI_Startall MPI_Wait MPI_Waitall MPI_Waitany MPI_Test
    MPI_Testall MPI_Testany MPI_Request_free MPI_Barrier MPI_Bcast MPI_Reduce MPI_Allreduce MPI_Alltoall MPI_Allgather
    MPI_Alltoallv MPI_Comm_dup MPI_Comm_split MPI_Type_contiguous MPI_Type_commit MPI_File_write_at MPI_File_read_at
    MPI_File_write_at_all MPI_File_read_at_all MPI_File_close""".split()
)
MAKES_REQUEST = re.compile(r"MPI_(I(?!nit|probe|mprobe|nter|nfo)[a-z_]+|\w+_init|R(put|get|accumulate|get_accumulate)|File_i\w+)")
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
            if function in KNOWN:
                yield function, arguments


def calls_of_log(log: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with log.open() as lines:
        for line in lines:
            function, _, rest = line.strip().partition(" ")
            yield function, dict(ARGUMENT.findall(rest))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reprise", default="reprise")
    parser.add_argument("--counts", action="store_true", help="print how often each function was called")
    options = parser.parse_args()
    logs = sorted(options.folder.glob("rank-*"), key=lambda path: int(path.name.removeprefix("rank-")))
    if not logs:
        print(f"no logs in {options.folder}", file=sys.stderr)
        return 1
    counts: collections.Counter[str] = collections.Counter()
    requests = 0
    for rank, log in enumerate(logs):
        pairs = itertools.zip_longest(calls_of_trace(options.reprise, options.trace, rank), calls_of_log(log))
        for number, (walked, logged) in enumerate(pairs):
            # An argument that does not count where it stands, as one of MPI_IN_PLACE, is left out of a trace.
            same = walked and logged and walked[0] == logged[0]
            if same and any(walked[1].get(name) not in (value, "-", "[]") for name, value in logged[1].items()):
                same = False
            if not same:
                print(f"rank {rank}, call {number}:\n  trace: {walked}\n  log:   {logged}", file=sys.stderr)
                return 1
            counts[logged[0]] += 1
            requests += logged[1].get("requests", "").count(",") + ("request" in logged[1] or "requests" in logged[1])
    if options.counts:
        print("\n".join(f"{counts[name]:>10} {name}" for name in sorted(counts)))
    print(f"{len(logs)} ranks, {sum(counts.values())} calls, {requests} requests named: equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
