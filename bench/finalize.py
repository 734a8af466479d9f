#!/usr/bin/env python3
"""How long MPI_Finalize takes with and without the recorder, which merges there; a Markdown table of medians.

With more ranks than cores the wall time is the sum of all ranks' work; the CPU time of rank 0, which is on
the longest path of the merge, tells what a machine with a core a rank would see.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

ARGUMENTS = {"stencil2d": ["--steps", "100", "--cells", "16x16"], "irregular": ["--steps", "20", "--degree", "4"]}


def finalize(words: list[str], waiting: Path) -> tuple[float, float]:
    """The longest time of a rank and the CPU time of rank 0 [ms]."""
    done = launch.run(words, waiting, seconds=600)
    lines = [line.split()[1:] for line in done.stderr.splitlines() if line.startswith("finalize ")]
    if done.returncode or not lines:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return max(float(wall) for _, wall, _ in lines), next(float(cpu) for rank, _, cpu in lines if rank == "0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--mpi", nargs="+", default=["openmpi"], choices=launch.LAUNCHERS)
    parser.add_argument("--ranks", nargs="+", type=int, default=[4, 16, 64])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    waiting = options.build / "tests" / "libcheap_waiting.so"

    print("| program | MPI | ranks | alone, wall | recorded, wall | rank 0 alone, CPU | rank 0 recorded, CPU |")
    print("|---|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        record = [str(options.build / "bin" / "reprise"), "record", "--force", "-o", f"{scratch}/trace.reprise", "--"]
        for program, arguments in ARGUMENTS.items():
            for mpi in options.mpi:
                for ranks in options.ranks:
                    path = options.build / "bench" / f"finalize_{program}_{mpi}"
                    command = launch.command(mpi, ranks, [str(path), *arguments])
                    alone, recorded = [], []
                    for _ in range(options.rounds):
                        alone.append(finalize(command, waiting))
                        recorded.append(finalize(record + command, waiting))
                    columns = [[pair[k] for pair in kind] for k in (0, 1) for kind in (alone, recorded)]
                    cells = [f"{statistics.median(c):,.1f} ms" for c in columns]
                    print(f"| {program} | {mpi} | {ranks} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
