#!/usr/bin/env python3
"""The file of tables beside a benchmark in C: that the benchmark finds it, and what it says of one that it cannot take.

    tables.py --reprise build/bin/reprise --mpi mpich --ranks 9 --waiting LIBRARY -- PROGRAM ARGUMENT...

The program is one that follows no rule, so that its benchmark has long tables, and has a main loop.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402


class Failure(Exception):
    pass


def expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise Failure(what)


class Bench:
    def __init__(self, options, folder: Path) -> None:
        self.options, self.folder = options, folder

    def reprise(self, *words: str) -> subprocess.CompletedProcess[str]:
        return launch.run([self.options.reprise, *words], self.options.waiting)

    def record(self, name: str, program: list[str]) -> Path:
        trace = self.folder / f"{name}.reprise"
        run = self.reprise("record", "-o", str(trace), "--", *launch.command(self.options.mpi, self.options.ranks, program))
        expect(run.returncode == 0, f"recording fails:\n{run.stdout}{run.stderr}")
        return trace

    def generate(self, trace: Path, name: str, *more: str) -> None:
        run = self.reprise("generate", str(trace), "-o", str(self.folder / f"{name}.c"), *more)
        expect(run.returncode == 0, run.stderr)
        words = [f"mpicc.{self.options.mpi}", "-O1", "-o", str(self.folder / name), str(self.folder / f"{name}.c")]
        expect(subprocess.run(words, check=False).returncode == 0, "it does not compile")

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return launch.run(
            launch.command(self.options.mpi, self.options.ranks, [str(self.folder / program), *arguments]), self.options.waiting
        )

    def refused(self, why: str, *arguments: str) -> None:
        run = self.run("benchmark", *arguments)
        expect(run.returncode != 0 and why in run.stderr, f"{arguments}: it should say '{why}'\n{run.stdout}{run.stderr}")

    def check(self) -> None:
        trace = self.record("original", self.options.program)
        self.generate(trace, "benchmark")
        tables = self.folder / "benchmark.tables"
        expect(tables.exists(), "it has no file of tables")
        text = tables.read_text()
        expect(text.startswith("reprise tables 1 "), text[:80])
        source = (self.folder / "benchmark.c").read_text()
        expect(len(source.splitlines()) < 300, f"its source has {len(source.splitlines())} lines")

        # Within the program, nothing is needed beside it.
        self.generate(trace, "whole", "--single-file")
        expect(not (self.folder / "whole.tables").exists(), "a program in a single file has a file of tables")
        expect(self.run("whole").returncode == 0, "a program in a single file does not run")
        terminal = self.reprise("generate", str(trace), "-o", "-").stdout
        expect("STORED" not in terminal and '#include "reprise_benchmark.h"' not in terminal, "what is printed is not whole")

        # Existing files are not overwritten.
        (self.folder / "other.tables").write_text("mine\n")
        other = self.reprise("generate", str(trace), "-o", str(self.folder / "other.c"))
        expect(other.returncode != 0 and "other.tables exists" in other.stderr, other.stderr)
        expect(not (self.folder / "other.c").exists(), "a program is written without its tables")

        # Beyond the recorded iterations.
        longer = self.run("benchmark", "--iterations", "50")
        expect(longer.returncode == 0, f"it does not go beyond the recorded iterations:\n{longer.stderr}")
        self.refused("--iterations abc: that is not a number of 0 or more", "--iterations", "abc")
        self.refused("--nothing: there is no such option", "--nothing")
        self.refused("--compute-scale nowhere=2: no call has that word", "--compute-scale", "nowhere=2")

        # Elsewhere, and what cannot be taken.
        elsewhere = self.folder / "elsewhere"
        tables.rename(elsewhere)
        self.refused("are neither beside it nor in the working folder")
        expect(self.run("benchmark", "--tables", str(elsewhere)).returncode == 0, "it does not take --tables")
        self.refused("missing cannot be read", "--tables", str(self.folder / "missing"))
        tables.write_text(text[: len(text) // 2])
        self.refused("ends early")
        tables.write_text(text.replace("LIST", "RUN", 1))
        self.refused("was changed")
        tables.write_text("1 2 3\n")
        self.refused("does not begin as tables")
        first, rest = text.split("\n", 1)
        tables.write_text(first[:-1] + ("0" if first[-1] != "0" else "1") + "\n" + rest)
        self.refused("has the tables of another program")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        try:
            Bench(options, Path(name)).check()
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1
    print("its tables are found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
