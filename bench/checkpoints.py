#!/usr/bin/env python3
"""What checkpoints cost a tightly coupled program: the same command recorded with and without them, in turn.

Prints a Markdown table: medians of wall and CPU time, and the median over the pairs of the ratio of the two. The
command is `stencil2d` on 64 ranks unless another stands behind `--`. Waiting is made cheap, since 64 ranks that spin on a few
cores measure the scheduler.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

CASES = {"alone": None, "without checkpoints": "none", "with checkpoints": "auto"}


def measure(words: list[str], waiting: Path) -> tuple[float, float]:
    """Wall time and CPU time of all processes [s]."""
    before, begin = os.times(), time.monotonic()
    done = launch.run(words, waiting, seconds=600)
    wall, after = time.monotonic() - begin, os.times()
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--reprise", type=Path, help="another build's, to compare with")
    parser.add_argument("--mpi", default="openmpi", choices=launch.LAUNCHERS)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("program", nargs="*", help="a program of that MPI and its arguments, in place of the stencil")
    options = parser.parse_args()
    waiting = options.build / "tests" / "libcheap_waiting.so"
    stencil = [str(options.build / "workloads" / options.mpi / "stencil2d"), "--steps", "3000", "--cells", "8x8"]
    command = launch.command(options.mpi, options.ranks, options.program or stencil)
    reprise = str(options.reprise or options.build / "bin" / "reprise")
    found: dict[str, list[tuple[float, float]]] = {case: [] for case in CASES}
    with tempfile.TemporaryDirectory() as scratch:
        record = [reprise, "record", "--force", "-o", f"{scratch}/trace.reprise", "--checkpoints"]
        for turn in range(options.rounds):
            # In another order each time: the machine's speed drifts.
            for case in list(CASES)[turn % len(CASES) :] + list(CASES)[: turn % len(CASES)]:
                words = [*record, CASES[case], "--", *command] if CASES[case] else command
                found[case].append(measure(words, waiting))
    print("| | wall | CPU | wall, against no checkpoints | CPU, against no checkpoints |")
    print("|---|---:|---:|---:|---:|")
    for case, times in found.items():
        medians = [statistics.median(t[k] for t in times) for k in (0, 1)]
        ratios = [statistics.median(t[k] / b[k] for t, b in zip(times, found["without checkpoints"])) for k in (0, 1)]
        print(f"| {case} | {medians[0]:.2f} s | {medians[1]:.2f} s | {100 * ratios[0] - 100:+.1f} % | {100 * ratios[1] - 100:+.1f} % |")


if __name__ == "__main__":
    main()
