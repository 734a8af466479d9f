#!/usr/bin/env python3
"""`record --average-sizes`: means in place of the counts of vector collectives, and nothing else.

    averages.py --reprise build/bin/reprise --mpi mpich --waiting LIBRARY volumes

The means are taken here from the flat log, which is not averaged: over all ranks and calls of a function, which is
called in one place; rounded to the nearest.
"""

import json
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from math import floor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

RANKS = 4
# Parameters that are averaged, and the displacements that follow from them.
AVERAGED = {
    "MPI_Alltoallv": {"sendcounts": "sdispls", "recvcounts": "rdispls"},
    "MPI_Gatherv": {"sendcount": None, "recvcounts": "displs"},
    "MPI_Scatterv": {"sendcounts": "displs", "recvcount": None},
    "MPI_Allgatherv": {"sendcount": None, "recvcounts": "displs"},
    "MPI_Reduce_scatter": {"recvcounts": None},
}

Call = tuple[str, dict[str, str]]


def parsed(line: str) -> Call:
    function, *tokens = line.split()
    return function, dict(t.split("=", 1) for t in tokens)


def numbers(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"-?\d+", text)]


def averaged(calls: list[list[Call]]) -> list[list[Call]]:
    """What a trace must say of the calls of each rank."""
    values: dict[tuple[str, str], list[int]] = {}
    for function, parameters in (call for rank in calls for call in rank):
        for name in AVERAGED.get(function, {}):
            values.setdefault((function, name), []).extend(numbers(parameters.get(name, "")))
    wanted = []
    for rank in calls:
        wanted.append([])
        for function, parameters in rank:
            parameters = dict(parameters)
            for name, starts in AVERAGED.get(function, {}).items():
                known = values[function, name]
                mean = floor(Fraction(sum(known), len(known)) + Fraction(1, 2))
                old = parameters[name]
                if not old.startswith("["):
                    parameters[name] = str(mean)
                    continue
                n = len(numbers(old))
                parameters[name] = f"[{','.join([str(mean)] * n)}]"
                if starts:
                    parameters[starts] = f"[{','.join(str(mean * i) for i in range(n))}]"
            wanted[-1].append((function, parameters))
    return wanted


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("program")
    options = parser.parse_args()

    def run(*words: str) -> str:
        done = launch.run(list(words), options.waiting)
        if done.returncode:
            sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def record(trace: Path, steps: int, *more: str) -> int:
        words = [options.reprise, "record", "-o", str(trace), "--average-sizes", "--time", "none", *more, "--"]
        run(*words, *launch.command(options.mpi, RANKS, [options.program, str(steps)]))
        return trace.stat().st_size

    with tempfile.TemporaryDirectory() as scratch:
        trace, flat = Path(scratch) / "trace", Path(scratch) / "flat"
        size = record(trace, 5, "--flat", str(flat))
        logs = [(flat / f"rank-{r}-thread-0.log").read_text().replace("comm:world", "0") for r in range(RANKS)]
        wanted = averaged([[parsed(line) for line in log.splitlines()] for log in logs])
        for rank in range(RANKS):
            shown = run(options.reprise, "show", "--flat", "--rank", str(rank), str(trace)).splitlines()
            for line, call in zip(shown, wanted[rank], strict=True):
                if parsed(line) != call:
                    sys.exit(f"rank {rank}: the trace has\n  {line}\nbut the means of the log are\n  {call}")

        if "--average-sizes" not in json.loads(run(options.reprise, "info", "--json", str(trace)))["options"]:
            sys.exit("the trace does not say that it was averaged")

        longer = record(Path(scratch) / "longer", 200)
        if longer > size + 8:  # longer numbers of trips
            sys.exit(f"5 steps took {size} bytes, 200 take {longer}")
        # What is sent is what is received.
        run(*launch.command(options.mpi, RANKS, [str(Path(options.reprise).parent / "reprise-replay"), str(trace)]))
    print(f"averaged as the log says, {size} bytes for 5 steps, {longer} for 200")
    return 0


if __name__ == "__main__":
    sys.exit(main())
