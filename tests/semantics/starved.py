#!/usr/bin/env python3
"""One rank runs out of memory in the recorder while all ranks agree on something: nobody waits for it for ever.

Whichever allocation fails when the run begins or ends, the program runs to its end, and there is a trace, or the command
says once why there is none, and what to do.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

RANKS = 3
MOST = 1 << 20  # more allocations than the recorder makes
LIMIT = 40.0  # beyond it ranks wait for each other [s]


class Starved(Checks):
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        super().__init__()
        self.options, self.folder = options, folder

    def record(self, when: str, rank: int, left: int, once: int, merge: str) -> tuple[subprocess.CompletedProcess[str], Path]:
        output = self.folder / f"{when}-{rank}-{left}-{once}-{merge}"
        command = launch.command(self.options.mpi, RANKS, [self.options.program, when, str(rank), str(left), str(once)])
        words = [self.options.reprise, "record", "--merge", merge, "-o", str(output), "--", *command]
        try:
            return launch.run(words, self.options.preload, LIMIT), output
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, -1, "", "ranks wait for ever"), output

    def allocations(self, when: str, rank: int, merge: str) -> int:
        run, _ = self.record(when, rank, MOST, 0, merge)
        self.equal(f"{when} {rank} {merge}: nothing fails", (run.returncode, run.stderr), (0, ""))
        made = re.search(r"made (\d+)", run.stdout)  # launchers may join lines of several ranks
        return int(made[1]) if made else 0

    def check(self, when: str, rank: int, left: int, once: int, merge: str) -> None:
        name = f"{when} {rank} {left} {once} {merge}"
        run, output = self.record(when, rank, left, once, merge)
        self.equal(f"{name}: the program is not disturbed", run.stdout.count("done"), RANKS)
        said = [line for line in run.stderr.splitlines() if line.startswith("reprise: ")]
        good = run.returncode == 0 or (run.returncode == 1 and said)
        self.true(f"{name}: status", bool(good), f"{run.returncode} {run.stderr}")
        self.true(f"{name}: no false reason", "before MPI_Finalize" not in run.stderr and "bad_alloc" not in run.stderr, run.stderr)
        causes = sum("out of memory" in line or "nothing is recorded" in line for line in said)
        self.true(f"{name}: said once", causes == (run.returncode != 0), run.stderr)
        if when == "end":
            traces = [output, *(output.with_name(f"{output.name}.{r}") for r in range(RANKS))]
            self.true(f"{name}: there is a trace", any(t.exists() for t in traces), run.stderr)
        self.equal(f"{name}: no part is left", list(self.folder.glob(f"{output.name}.part-*")), [])


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--preload", help="library that makes allocations fail")
    parser.add_argument("--samples", type=int, default=4, help="allocations that fail in turn, for each rank")
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        starved = Starved(options, Path(scratch))
        for when, merge in (("end", "all"), ("end", "none"), ("begin", "all")):
            for rank in (0, 1):
                made = starved.allocations(when, rank, merge)
                for k in range(options.samples):
                    left = made * k // options.samples
                    starved.check(when, rank, left, k % 2, merge)
        return starved.status()


if __name__ == "__main__":
    sys.exit(main())
