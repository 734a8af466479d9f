#!/usr/bin/env python3
"""File sizes of the example programs against ranks and steps; a Markdown table.

As the papers compare them: *none* is the flat log, *intra-node* the folded traces of single ranks
(`--merge none`), summed, *inter-node* the one merged trace; all of them without times, which the papers leave out
too. The share of times is told by a trace with them, which is the default, and that of call paths and symbols by one
recorded with `--callpaths none`. With `--mpi smpi` the ranks are SimGrid's, of which one machine bears a thousand; it
keeps one clock for all, so that times say little there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "tests" / "smpi"))
import launch  # noqa: E402
from simulated import simulated  # noqa: E402

PROGRAMS = {
    "stencil2d": ["--steps", "1000", "--cells", "16x16"],
    "stencil3d": ["--steps", "100", "--cells", "4x6x8"],
    "butterfly": ["--steps", "100", "--cells", "32"],
    "multigrid": ["--steps", "20", "--rows", "4"],
    "alltoallv": ["--steps", "20", "--keys", "1000"],
    "wavefront": ["--steps", "10", "--planes", "8", "--cells", "6x8"],
    "irregular": ["--steps", "50", "--degree", "4"],
    "amr": ["--steps", "20", "--blocks", "4"],
}


class Recorder:
    def __init__(self, build: Path, mpi: str, scratch: Path) -> None:
        self.build, self.mpi, self.scratch = build, mpi, scratch

    def run(self, name: str, ranks: int, arguments: list[str], *options: str) -> Path:
        for old in self.scratch.glob("*.reprise*"):
            old.unlink()
        trace = self.scratch / "trace.reprise"
        program = [str(self.build / "workloads" / self.mpi / name), *arguments]
        words = [str(self.build / "bin" / "reprise"), "record", "-o", str(trace), *options, "--"]
        if self.mpi == "smpi":
            done = launch.run(words + simulated(self.scratch, ranks, program), None, 900)
        else:
            waiting = self.build / "tests" / "libcheap_waiting.so"
            done = launch.run(words + launch.command(self.mpi, ranks, program), waiting, 900)
        if done.returncode:
            sys.exit(f"{name} on {ranks} ranks ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return trace

    def sizes(self, name: str, ranks: int, arguments: list[str], flat: bool = True) -> list[int | None]:
        """Bytes: flat log, sum of the ranks' traces, one trace, one with times, one without times and call paths."""
        logged = None
        options = ["--time", "none"]
        if flat:
            folder = self.scratch / "flat"
            options += ["--flat", str(folder)]
        one = self.run(name, ranks, arguments, *options).stat().st_size
        if flat:
            logged = 0
            for log in folder.iterdir():
                logged += log.stat().st_size
                log.unlink()
        self.run(name, ranks, arguments, "--time", "none", "--merge", "none")
        apart = sum(p.stat().st_size for p in self.scratch.glob("trace.reprise.*"))
        timed = self.run(name, ranks, arguments).stat().st_size
        bare = self.run(name, ranks, arguments, "--time", "none", "--callpaths", "none").stat().st_size
        return [logged, apart, one, timed, bare]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--mpi", default="openmpi", choices=[*launch.LAUNCHERS, "smpi"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[4, 16, 64])
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=PROGRAMS)
    parser.add_argument("--steps", nargs="+", help="instead: stencil2d with these numbers of steps")
    options = parser.parse_args()

    head = ["flat log", "one trace a rank", "**one trace**", "with times", "without call paths"]
    print("| program | arguments | ranks | " + " | ".join(head) + " |")
    print("|---|---|---:|" + "---:|" * len(head))
    with tempfile.TemporaryDirectory() as scratch:
        recorder = Recorder(options.build, options.mpi, Path(scratch))
        programs = [(name, PROGRAMS[name]) for name in options.programs]
        if options.steps:
            programs = [("stencil2d", ["--steps", n, "--cells", "4x4"]) for n in options.steps]
        for name, arguments in programs:
            for ranks in options.ranks:
                # The flat log of a long run would fill the disk for nothing.
                flat = not options.steps or int(arguments[1]) <= 1000
                cells = [f"{n:,}" if n is not None else "-" for n in recorder.sizes(name, ranks, arguments, flat)]
                print(f"| {name} | {' '.join(arguments)} | {ranks} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
