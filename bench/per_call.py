#!/usr/bin/env python3
"""The recorder's cost per MPI call: per_call alone and under the recorder, in turns.

Prints a Markdown table of the medians, over the rounds, of the difference of the two [CPU ns per call].
"""

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

def measure(words: list[str]) -> dict[str, float]:
    # One rank waits for nobody, so nothing is preloaded and nothing yields.
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(words, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return {case: float(ns) for case, ns in (line.split() for line in done.stdout.splitlines())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--mpi", nargs="+", default=list(launch.LAUNCHERS), choices=launch.LAUNCHERS)
    parser.add_argument("--time", nargs="+", default=["paths", "none"])
    parser.add_argument("--clock", nargs="+", default=["auto"], help="of what is recorded with times")
    parser.add_argument("--calls", type=int, default=200000, help="of one timed loop")
    parser.add_argument("--repeats", type=int, default=11, help="loops of a run, of which the median counts")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind, in turns")
    options = parser.parse_args()

    columns: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for mpi in options.mpi:
            program = [str(options.build / "bench" / f"per_call_{mpi}"), str(options.calls), str(options.repeats)]
            command = launch.command(mpi, 1, program)
            kinds = list(itertools.product(options.time, options.clock))
            alone: list[dict[str, float]] = []
            runs: dict[tuple[str, str], list[dict[str, float]]] = {kind: [] for kind in kinds}
            for _ in range(options.rounds):
                alone.append(measure(command))
                for (time, clock), results in runs.items():
                    record = [str(options.build / "bin" / "reprise"), "record", "--force", "-o", f"{scratch}/trace.reprise"]
                    ways = ["--time", time, "--clock", clock]
                    results.append(measure([*record, *ways, "--", *command]))
            columns[f"{mpi} alone"] = {c: statistics.median(r[c] for r in alone) for c in alone[0]}
            for (time, clock), results in runs.items():
                costs = {c: statistics.median(w[c] - a[c] for w, a in zip(results, alone)) for c in alone[0]}
                what = f"{mpi}, times {time}"
                columns[what + (f", clock {clock}" if len(options.clock) > 1 else "")] = costs

    print("| case | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for case in next(iter(columns.values())):
        ours = [f"{column[case]:,.0f}" for column in columns.values()]
        print("| " + " | ".join([case, *ours]) + " |")


if __name__ == "__main__":
    main()
