#!/usr/bin/env python3
"""Records a small program and compares the trace with what its source says must be in it.

    semantics.py --reprise build/bin/reprise --mpi mpich --source objects.c --ranks 2 [--threads 2] PROGRAM

What must be there follows from the MPI standard and docs/trace_format.md, and stands in the source, in comments (which
begin with != in Fortran):

    //= rank 0: MPI_Wait request=1 matched_source=-       a call of the trace, with some of its parameters
    //= rank 0 thread 1: MPI_Send dest=2
    //= rank * on mpich: MPI_Barrier                      on every rank, under one MPI only
    //= shown: MPI_Wait request=1                        a call in what `show --rank 0` prints
    //= losses: 2 calls while recording was paused        over all ranks; or: //= losses: none
    //= losses on mpich: 1 calls of ...
    //= status: 1                                        of `reprise record`; 0 if it is not named

A stream that is named there makes, of the functions named for it, these calls and no others, in that order. The trace
is also compared with the flat log. The program may not notice that it is recorded.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent / "support")]
import launch  # noqa: E402
import oracle  # noqa: E402

_CALL = re.compile(r"(?://|!)= rank (\d+|\*)(?: thread (\d+))?(?: on (\w+))?: (.*)")
_SHOWN = re.compile(r"(?://|!)= shown: (\w+) (.*)")
_LOSS = re.compile(r"(?://|!)= losses(?: on (\w+))?: (?:none|(\d+) (.*))")


def expectations(source: Path, mpi: str, ranks: int) -> tuple[dict[tuple[int, int], list[set[str]]], dict[str, int]]:
    calls: dict[tuple[int, int], list[set[str]]] = {}
    losses: dict[str, int] = {}
    for line in source.read_text().splitlines():
        if match := _CALL.fullmatch(line.strip()):
            where = range(ranks) if match[1] == "*" else [int(match[1])]
            for rank in where if match[3] in (None, mpi) else []:
                calls.setdefault((rank, int(match[2] or 0)), []).append(set(match[4].split()))
        elif (match := _LOSS.fullmatch(line.strip())) and match[2]:
            if match[1] in (None, mpi):
                losses[match[3]] = int(match[2])
        elif line.strip().startswith(("//=", "!=")) and not match and not _SHOWN.fullmatch(line.strip()) and "= status: " not in line:
            sys.exit(f"{source}: cannot be read: {line}")
    return calls, losses


def name(tokens: set[str]) -> str:
    return next(token for token in tokens if token.startswith("MPI_") and "=" not in token)


def stream_differs(reprise: str, trace: Path, rank: int, thread: int, wanted: list[set[str]]) -> bool:
    command = [reprise, "show", "--flat", "--rank", str(rank), "--thread", str(thread), str(trace)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    functions = {name(tokens) for tokens in wanted}
    found = [line for line in shown if line.split()[0] in functions]
    if len(found) == len(wanted) and all(tokens <= set(line.split()) for tokens, line in zip(wanted, found)):
        return False
    print(f"rank {rank} thread {thread} must do", *(" ".join(sorted(t)) for t in wanted), sep="\n  ")
    print("but the trace says", *found, sep="\n  ")
    return True


def listing_differs(reprise: str, trace: Path, source: Path) -> bool:
    """A call in the source that is not in the listing, whatever other parameters it has there."""
    command = [reprise, "show", "--full", "--width", "0", "--rank", "0", str(trace)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    missing = []
    for function, parameters in _SHOWN.findall(source.read_text()):
        words = re.split(r" (?=\w+=)", parameters)
        if not any(f"{function}(" in line and all(re.search(rf"[( ]{re.escape(w)}[) ]", line) for w in words) for line in lines):
            missing.append(f"{function} {parameters}")
    if missing:
        print("is not shown:", *missing, "but:", *lines, sep="\n  ")
    return bool(missing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--mpi", required=True, choices=launch.LAUNCHERS)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--waiting", type=Path, help="library that makes waiting cheap")
    parser.add_argument("--preload", help="library that makes the recorder fail; then there is no log to compare with")
    parser.add_argument("program")
    options = parser.parse_args()
    calls, losses = expectations(options.source, options.mpi, options.ranks)
    with tempfile.TemporaryDirectory() as scratch:
        trace, flat = Path(scratch) / "trace.reprise", Path(scratch) / "flat"
        command = launch.command(options.mpi, options.ranks, [options.program])
        record = [options.reprise, "record", "-o", str(trace), "--flat", str(flat), "--", *command]
        recorded = launch.run(record, options.preload or options.waiting)
        print(recorded.stdout, recorded.stderr, sep="", end="")
        status = re.search(r"(?://|!)= status: (\d+)", options.source.read_text())
        if recorded.returncode != (int(status[1]) if status else 0):
            print(f"the command ended with status {recorded.returncode}")
            return 1
        differs = [stream_differs(options.reprise, trace, *where, wanted) for where, wanted in calls.items()]
        differs.append(listing_differs(options.reprise, trace, options.source))
        info = subprocess.run([options.reprise, "info", "--json", str(trace)], capture_output=True, text=True, check=True)
        lost = json.loads(info.stdout)["lost"]
        if lost != losses:
            print(f"lost must be {losses}, but the trace says {lost}")
            return 1
        if any(differs) or options.preload:
            return 1 if any(differs) else 0
        sys.argv = [sys.argv[0], "--reprise", options.reprise, str(trace), str(flat)]
        return oracle.main()


if __name__ == "__main__":
    sys.exit(main())
