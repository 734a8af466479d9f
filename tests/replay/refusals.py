#!/usr/bin/env python3
"""What cannot be replayed is said once, at once, and every rank leaves with status 1."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

EARLY = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) exit(3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
"""
DYNAMIC = r"""
#include <mpi.h>
int main(int argc, char **argv) {
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
"""
SECONDS = 60


class Tester:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.replay = str(Path(options.reprise).parent / "reprise-replay")
        self.failed = False

    def check(self, condition: bool, what: str, run: subprocess.CompletedProcess[str]) -> None:
        print(("ok   " if condition else "FAIL ") + what)
        if not condition:
            self.failed = True
            print(f"status {run.returncode}\n{run.stdout}{run.stderr}", file=sys.stderr)

    def command(self, ranks: int, words: list[str]) -> subprocess.CompletedProcess[str]:
        return launch.run(launch.command(self.options.mpi, ranks, words), self.options.waiting, SECONDS)

    def refused(self, what: str, trace: Path, ranks: int, message: str, *more: str) -> None:
        run = self.command(ranks, [self.replay, str(trace), *more])
        said = re.findall(r"^reprise-replay: .*$", run.stdout + run.stderr, re.MULTILINE)
        self.check(run.returncode == 1 and len(said) == 1 and bool(re.search(message, said[0])), what, run)

    def record(self, name: str, program: list[str], ranks: int) -> Path:
        trace = self.folder / f"{name}.reprise"
        command = [self.options.reprise, "record", "-o", str(trace), "--", *launch.command(self.options.mpi, ranks, program)]
        launch.run(command, self.options.waiting, SECONDS)
        return trace

    def compile(self, name: str, source: str) -> str:
        path = self.folder / f"{name}.c"
        path.write_text(source)
        subprocess.run([f"mpicc.{self.options.mpi}", "-o", str(path.with_suffix("")), str(path)], check=True)
        return str(path.with_suffix(""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--mpi", required=True, choices=launch.LAUNCHERS)
    parser.add_argument("--waiting", type=Path)
    parser.add_argument("--workloads", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        t = Tester(options, folder)
        good = t.record("good", [str(options.workloads / "stencil2d"), "--steps", "3"], 4)
        t.refused("the wrong number of ranks", good, 3, r"cannot be replayed on 3 ranks \(it was recorded on 4\); start 4")
        t.refused("a missing file", folder / "none.reprise", 2, r"none\.reprise")
        bytes_ = bytearray(good.read_bytes())
        bytes_[len(bytes_) // 2] ^= 0x40
        damaged = folder / "damaged.reprise"
        damaged.write_bytes(bytes_)
        t.refused("a damaged trace", damaged, 4, r"damaged\.reprise")
        t.refused("an unknown option", good, 4, r"--nonsense", "--nonsense")
        t.refused("a place that is not there", good, 4, r"--compute-scale has an unknown place nosuch", "--compute-scale", "nosuch=2")
        early = t.record("early", [t.compile("early", EARLY)], 4)
        t.refused("a run that ended early", early, 4, r"never came to MPI_Finalize")
        dynamic = t.record("dynamic", [t.compile("dynamic", DYNAMIC)], 2)
        t.refused("what a trace does not tell", dynamic, 2, r"it calls MPI_Win_create_dynamic: ")

        run = t.command(1, [t.replay, "-h"])
        t.check(run.returncode == 0 and "--message-scale" in run.stdout, "help", run)
        run = launch.run([options.reprise, "replay", str(good), "--mpi", options.mpi, "--json"], options.waiting, SECONDS)
        t.check(run.returncode == 0 and '"ranks": 4' in run.stdout, "reprise replay starts the launcher", run)
        for more in (["--wildcards", "arrival"], ["--message-scale", "2.5"], ["--message-scale", "0.3"], ["--compute", "none", "--seed", "7"]):
            wild = t.record("wild", [str(options.workloads / "master_worker")], 4) if more[0] == "--wildcards" else good
            run = t.command(4, [t.replay, str(wild), *more])
            t.check(run.returncode == 0 and "calls" in run.stdout, " ".join(more), run)
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
