#!/usr/bin/env python3
"""Records a program as it is, and with handles that tell requests apart; the two traces must be the same.

    same_requests.py --reprise build/bin/reprise --mpi mpich --ranks 4 --distinct LIBRARY [--twin PROGRAM] PROGRAM [ARGUMENT...]

LIBRARY is tests/support/distinct_requests.c: with it, sends do not complete at once, and a handle is enough to know a
request. With --twin, the same program built with another MPI must have the same trace as well.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

# Starts a program with one more library, behind those that are preloaded already.
BEHIND = ["sh", "-c", 'LD_PRELOAD="$LD_PRELOAD $0" exec "$@"']


def walk(reprise: str, trace: Path, rank: int) -> list[str]:
    """The calls of a rank, without how often something was polled."""
    command = [reprise, "show", "--flat", "--rank", str(rank), str(trace)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [" ".join(word for word in line.split() if not word.startswith("polls=")) for line in shown.splitlines()]


def record(options: argparse.Namespace, mpi: str, program: list[str]) -> list[list[str]]:
    """The calls of each rank. Raises RuntimeError."""
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "trace.reprise"
        command = launch.command(mpi, options.ranks, program)
        done = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], options.waiting)
        if done.returncode:
            raise RuntimeError(f"{' '.join(program)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return [walk(options.reprise, trace, rank) for rank in range(options.ranks)]


def first_difference(ours: list[list[str]], theirs: list[list[str]]) -> str | None:
    for rank, (mine, other) in enumerate(zip(ours, theirs)):
        for number, (a, b) in enumerate(zip([*mine, ""], [*other, ""]), 1):
            if a != b:
                return f"rank {rank} call {number}\n  {a}\n  {b}"
    return None


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--distinct", required=True, help="library that gives every send a handle of its own")
    parser.add_argument("--twin", help="the same program, built with the other MPI")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    other_mpi = next(mpi for mpi in launch.LAUNCHERS if mpi != options.mpi)
    try:
        plain = record(options, options.mpi, options.program)
        others = {"distinct handles": record(options, options.mpi, [*BEHIND, options.distinct, *options.program])}
        if options.twin:
            others[other_mpi] = record(options, other_mpi, [options.twin, *options.program[1:]])
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    for what, calls in others.items():
        if difference := first_difference(plain, calls):
            print(f"with {what} the trace is another: {difference}", file=sys.stderr)
            return 1
    requests = sum("request" in call for calls in plain for call in calls)
    print(f"{sum(map(len, plain))} calls, {requests} about requests: the same with {' and '.join(others)}")
    return 0 if requests else 1


if __name__ == "__main__":
    sys.exit(main())
