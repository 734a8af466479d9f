#!/usr/bin/env python3
"""A program's run in the three forms that ScalaTrace (JPDC 2009) compares: flat logs, traces of single ranks, one trace.

    replay_forms.py --build build/dev
    replay_forms.py --build build/dev --programs 'bin-{mpi}' cg.S.x=4,16 lu.S.x=16

PROGRAM=RANKS,RANKS... names a file in the folder of --programs, in which {mpi} stands for openmpi or mpich; arguments of
the program may follow. Without any, some of the examples. A Markdown table: the calls, what the flat logs, the folded
traces of all ranks and the one trace take, without times, and what it takes to replay each of the three without
computation, from the start of the command to its end; and the time of the program without the recorder. Seconds
are medians over the rounds, in which the replays and the program alternate.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

EXAMPLES = ["stencil2d=4,16 --steps 1000 --cells 16x16", "multigrid=16 --steps 200", "irregular=16 --steps 500 --degree 4"]


class Run:
    """A program on so many ranks, recorded in three forms in a folder."""

    def __init__(self, options: argparse.Namespace, mpi: str, ranks: int, program: list[str], folder: Path) -> None:
        self.mpi, self.ranks, self.program, self.folder = mpi, ranks, program, folder
        self.bin = options.build.resolve() / "bin"
        self.waiting = options.build.resolve() / "tests" / "libcheap_waiting.so"

    def seconds(self, words: list[str]) -> float:
        """Wall time of a command [s]."""
        start = time.monotonic()
        done = launch.run(words, self.waiting, seconds=900)
        took = time.monotonic() - start
        if done.returncode:
            sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return took

    def command(self) -> list[str]:
        return launch.command(self.mpi, self.ranks, self.program)

    def record(self) -> None:
        one = [str(self.bin / "reprise"), "record", "--time", "none", "-o"]
        self.seconds([*one, str(self.folder / "one"), "--flat", str(self.folder / "flat"), "--", *self.command()])
        self.seconds([*one, str(self.folder / "ranks"), "--merge", "none", "--", *self.command()])

    def calls(self) -> int:
        words = [str(self.bin / "reprise"), "info", "--json", str(self.folder / "one")]
        return json.loads(subprocess.run(words, capture_output=True, check=True).stdout)["calls"]

    def sizes(self) -> list[int]:
        """Bytes of the three forms."""
        forms = [(self.folder / "flat").iterdir(), self.folder.glob("ranks.*"), [self.folder / "one"]]
        return [sum(file.stat().st_size for file in form) for form in forms]

    def times(self, rounds: int) -> list[float]:
        """Seconds of the replays of the three forms, and of the program."""
        replay = [str(self.bin / "reprise-replay"), "--compute", "none", "--scratch", str(self.folder)]
        forms = [[*replay, str(self.folder / form)] for form in ("flat", "ranks", "one")]
        commands = [launch.command(self.mpi, self.ranks, form) for form in forms] + [self.command()]
        taken: list[list[float]] = [[] for _ in commands]
        for _ in range(rounds):
            for kept, words in zip(taken, commands, strict=True):
                kept.append(self.seconds(words))
        return [statistics.median(times) for times in taken]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="'PROGRAM=RANKS,RANKS ARGUMENTS'")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--programs", help="the folder of the programs; {mpi} is replaced")
    parser.add_argument("--mpi", nargs="+", default=list(launch.LAUNCHERS), choices=launch.LAUNCHERS)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    folder = options.programs or str(options.build.resolve() / "workloads" / "{mpi}")

    forms = ("flat logs", "traces of ranks", "one trace")
    head = ["program", "MPI", "ranks", "calls", *forms, *(f"replay of {form}" for form in forms), "the program"]
    print("| " + " | ".join(head) + " |")
    print("|---|---|" + "---:|" * (len(head) - 2))
    for case in options.cases or EXAMPLES:
        program, _, rest = case.partition("=")
        numbers, *arguments = rest.split()
        for mpi in options.mpi:
            path = str(Path(f"{folder}/{program}".format(mpi=mpi)).resolve())
            for ranks in map(int, numbers.split(",")):
                with tempfile.TemporaryDirectory() as scratch:
                    run = Run(options, mpi, ranks, [path, *arguments], Path(scratch))
                    run.record()
                    cells = [program, mpi, str(ranks), *(f"{n:,}" for n in (run.calls(), *run.sizes()))]
                    cells += [f"{seconds:.2f} s" for seconds in run.times(options.rounds)]
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
