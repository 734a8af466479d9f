#!/usr/bin/env python3
"""What recording costs whole runs of programs, in CPU time and memory; a Markdown table.

    cost.py --build build/dev
    cost.py --build build/dev --programs 'bin-{mpi}' cg.S.x=16 'irregular=16 --steps 6000'

PROGRAM=RANKS,RANKS... names a file in the folder of --programs, in which {mpi} stands for openmpi or mpich; arguments of
the program may follow. Without any, the examples that bench/finalize.py has. Runs alone and recorded alternate. CPU time
is that of user and system, the mean of all ranks, and memory the highest resident set of a rank; the table has the
medians over the rounds, each less that of the runs alone. `in MPI_Finalize` is the part of the CPU time that is spent
there, with what a rank takes to wait for the others. --also names another build, to be compared; --split records with
`--merge none` too, so that tracing (outside of MPI_Finalize), writing (there, without merging) and merging (the rest) show.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

EXAMPLES = ["finalize_stencil2d_{mpi}=16 --steps 100 --cells 16x16", "finalize_irregular_{mpi}=16 --steps 600 --degree 4"]


@dataclass
class Usage:
    """What one run used."""

    cpu: float  # mean of the ranks [ms]
    finalize: float  # of it within MPI_Finalize [ms]
    memory: float  # of the worst rank [MB]


def run(words: list[str], build: Path, usage: Path) -> Usage:
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["USAGE_FOLDER"] = scratch
        preloaded = Path(f"{build}/tests/libcheap_waiting.so {usage}")
        done = launch.run(words, preloaded, seconds=900)
        rows = [[float(word) for word in file.read_text(encoding="utf-8").split()] for file in Path(scratch).iterdir()]
    if done.returncode or not rows:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    cpu, finalize, memory = zip(*rows, strict=True)
    return Usage(statistics.mean(cpu), statistics.mean(finalize), max(memory) / 1000)


Usages = list[list[Usage]]  # alone, and recorded in each way; by round


@dataclass
class Variant:
    """A way of recording."""

    name: str
    build: Path
    options: list[str]


def measure(command: list[str], ways: list[Variant], usage: Path, rounds: int) -> tuple[int, Usages]:
    """Calls of the trace that the first way gives, and what all runs used."""
    usages: Usages = [[] for _ in range(1 + len(ways))]
    build = ways[0].build
    with tempfile.TemporaryDirectory() as scratch:
        traces = [f"{scratch}/{way}.reprise" for way in range(len(ways))]
        for _ in range(rounds):
            usages[0].append(run(command, build, usage))
            for kept, way, trace in zip(usages[1:], ways, traces, strict=True):
                record = [str(way.build / "bin" / "reprise"), "record", "--force", "-o", trace, *way.options, "--"]
                kept.append(run(record + command, build, usage))
        info = subprocess.run([str(build / "bin" / "reprise"), "info", "--json", traces[0]], capture_output=True, check=True)
    return json.loads(info.stdout)["calls"], usages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="'PROGRAM=RANKS,RANKS ARGUMENTS'")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--also", type=Path, help="another build whose recorder is measured too")
    parser.add_argument("--split", action="store_true", help="record with --merge none too")
    parser.add_argument("--programs", help="the folder of the programs; {mpi} is replaced")
    parser.add_argument("--mpi", nargs="+", default=list(launch.LAUNCHERS), choices=launch.LAUNCHERS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--options", default="", help="options for `reprise record`")
    options = parser.parse_args()
    given = options.options.split()
    ways = [Variant("", options.build.resolve(), given)]
    if options.also:
        ways = [Variant(f", {options.build}", ways[0].build, given), Variant(f", {options.also}", options.also.resolve(), given)]
    if options.split:
        ways.append(Variant(", not merged", ways[0].build, [*given, "--merge", "none"]))
    cases = options.cases or EXAMPLES
    folder = options.programs if options.cases and options.programs else str(ways[0].build / "bench")

    head = ["program", "MPI", "ranks", "calls", "CPU alone"]
    head += [f"{what}{way.name}" for way in ways for what in ("added CPU", "of that in MPI_Finalize", "added memory")]
    print("| " + " | ".join(head) + " |")
    print("|---|---|" + "---:|" * (len(head) - 2))
    with tempfile.TemporaryDirectory() as scratch:
        usage = Path(scratch) / "libusage.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", usage, ROOT / "bench" / "usage.c", "-ldl"], check=True)
        for case in cases:
            program, _, rest = case.partition("=")
            numbers, *arguments = rest.split()
            for mpi in options.mpi:
                path = str(Path(f"{folder}/{program}".format(mpi=mpi)).resolve())
                for ranks in map(int, numbers.split(",")):
                    command = launch.command(mpi, ranks, [path, *arguments])
                    calls, (alone, *recorded) = measure(command, ways, usage, options.rounds)
                    middle = [
                        [statistics.median(getattr(u, what) for u in kind) for what in ("cpu", "finalize", "memory")]
                        for kind in (alone, *recorded)
                    ]
                    cells = [Path(path).name, mpi, str(ranks), f"{calls:,}", f"{middle[0][0]:,.1f} ms"]
                    for recorded_with in middle[1:]:
                        cpu, finalize, memory = (a - b for a, b in zip(recorded_with, middle[0], strict=True))
                        cells += [f"{cpu:,.1f} ms", f"{finalize:,.1f} ms", f"{memory:,.1f} MB"]
                    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
