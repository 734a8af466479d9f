#!/usr/bin/env python3
"""Whether the traces of real programs are exact, and how large they are; a Markdown table.

    nas.py --build build/dev --programs 'bin-{mpi}' solver=4,16 transform=64
    nas.py --build build/dev --programs 'bin-{mpi}' --list programs.txt

PROGRAM=RANKS,RANKS... names a file in the folder of --programs, in which {mpi} stands for openmpi or mpich. A line of
the list is the same with a space for the sign, and arguments of the program may follow. Each program runs in an empty
folder, on each number of ranks, with each MPI:

- recorded, with tests/support/call_log.c before the recorder, an independent log. Each rank's calls must be the
  same, in order: functions, counts, peers, tags, and which requests are started, completed and freed; and as many
  calls must be lost as returned an error;
- recorded alone, and the replay of that trace recorded in turn. It is a fixed point if `reprise diff` finds the two to
  do the same: all parameters of all calls, but for call paths, times and how often a poll was in vain;
- recorded without times.

The exit status is 0 if every trace equals its log and every replay is a fixed point.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests" / "requests")]
import compare_calls  # noqa: E402
import launch  # noqa: E402

IGNORED = "callpaths,times,polls"
HEAD = ["program", "MPI", "ranks", "calls", "requests", "equal to the log", "fixed point"]
HEAD += ["bytes without times", "bytes with times"]


class Failed(Exception):
    """A command that had to succeed did not: what it was and what it printed."""


@dataclass
class Case:
    """A program as it is run; the folder of programs is chosen by MPI."""

    program: str
    ranks: int
    arguments: list[str] = field(default_factory=list)


@dataclass
class Row:
    """What is known of a case with one MPI; a field is None if the case did not come that far."""

    program: str
    mpi: str
    ranks: int
    calls: int | None = None  # that the trace has
    requests: int | None = None  # that calls of the trace and the log name
    functions: dict[str, int] = field(default_factory=dict)  # calls by function, where trace and log are equal
    unlogged: dict[str, int] = field(default_factory=dict)  # calls of functions that the log does not know
    failed: int | None = None  # calls that returned an error, which the trace counts as lost
    equal: bool | None = None
    fixed_point: bool | None = None
    bytes_without_times: int | None = None
    bytes_with_times: int | None = None
    problems: list[str] = field(default_factory=list)

    def is_good(self) -> bool:
        return self.equal is True and self.fixed_point is True and not self.problems

    def cells(self) -> list[str]:
        verdicts = {True: "yes", False: "**no**", None: "-"}

        def number(value: int | None) -> str:
            return "-" if value is None else f"{value:,}"

        equal = verdicts[self.equal] + (f", without {', '.join(sorted(self.unlogged))}" if self.unlogged else "")
        return [
            self.program,
            self.mpi,
            str(self.ranks),
            number(self.calls),
            number(self.requests),
            equal,
            verdicts[self.fixed_point],
            number(self.bytes_without_times),
            number(self.bytes_with_times),
        ]


class Examiner:
    def __init__(self, options: argparse.Namespace, scratch: Path) -> None:
        self.options, self.scratch = options, scratch
        self.build = options.build.resolve()
        self.reprise = str(self.build / "bin" / "reprise")
        self.waiting = self.build / "tests" / "libcheap_waiting.so"

    def record(self, row: Row, name: str, words: list[str], *options: str, log: Path | None = None) -> Path:
        """The trace of a command, that runs in a folder of its own; with a log of its calls in the folder `log`."""
        trace = self.scratch / f"{name}.reprise"
        folder = self.scratch / f"{name}.run"
        inputs = str(self.options.inputs or "").format(ranks=row.ranks, mpi=row.mpi)
        if inputs:
            shutil.copytree(inputs, folder)
        else:
            folder.mkdir()
        preloaded = str(self.waiting)
        if log:
            os.environ["CALL_LOG"] = str(log)
            preloaded += f" {self.build}/tests/requests/libcall_log_{row.mpi}.so"
        command = [self.reprise, "record", "-o", str(trace), *options, "--", *launch.command(row.mpi, row.ranks, words)]
        with contextlib.chdir(folder):
            done = launch.run(command, Path(preloaded), self.options.seconds)
        os.environ.pop("CALL_LOG", None)
        shutil.rmtree(folder)
        if done.returncode or not trace.exists():
            raise Failed(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        if self.options.expect and words[0] != self.replay() and self.options.expect not in done.stdout:
            raise Failed(f"{' '.join(command)} did not print {self.options.expect}:\n{done.stdout}{done.stderr}")
        return trace

    def replay(self) -> str:
        return str(self.build / "bin" / "reprise-replay")

    def compare_with_log(self, row: Row, words: list[str]) -> None:
        log = self.scratch / "calls"
        trace = self.record(row, "logged", words, log=log)
        found = compare_calls.compare(self.reprise, trace, log, self.options.copied_handles)
        if not found.difference and found.ranks != row.ranks:
            found.difference = f"{found.ranks} ranks have a log"
        row.equal = not found.difference
        row.requests, row.failed = found.requests, found.failed
        row.functions, row.unlogged = dict(sorted(found.counts.items())), dict(sorted(found.unlogged.items()))
        if found.difference:
            row.problems.append(f"the trace differs from the log: {found.difference}")

    def compare_with_replay(self, row: Row, trace: Path) -> None:
        words = [self.replay(), str(trace), "--compute", "none", "--scratch", str(self.scratch)]
        replayed = self.record(row, "replayed", words)
        command = [self.reprise, "diff", "--ignore", IGNORED, str(trace), str(replayed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        row.fixed_point = done.returncode == 0
        if done.returncode:
            row.problems.append(f"the replay is no fixed point:\n{done.stdout}{done.stderr}")

    def examine(self, case: Case, mpi: str) -> Row:
        row = Row(case.program, mpi, case.ranks)
        words = [str(Path(self.options.programs.format(mpi=mpi)).resolve() / case.program), *case.arguments]
        try:
            self.compare_with_log(row, words)
            row.bytes_without_times = self.record(row, "without_times", words, "--time", "none").stat().st_size
            trace = self.record(row, "recorded", words)
            row.bytes_with_times = trace.stat().st_size
            info = subprocess.run([self.reprise, "info", "--json", str(trace)], capture_output=True, text=True, check=True)
            told = json.loads(info.stdout)
            row.calls = told["calls"]
            self.compare_with_replay(row, trace)
        except Failed as failure:
            row.problems.append(str(failure))
        except subprocess.TimeoutExpired as late:
            row.problems.append(f"{' '.join(late.cmd)} did not end within {self.options.seconds:g} s")
        return row


def cases_of(options: argparse.Namespace, parser: argparse.ArgumentParser) -> list[Case]:
    lines = [text.replace("=", " ", 1) for text in options.cases]
    if options.list:
        lines += options.list.read_text(encoding="utf-8").splitlines()
    out = []
    for line in lines:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            out += [Case(words[0], int(ranks), words[2:]) for ranks in words[1].split(",")]
        except (IndexError, ValueError):
            parser.error(f"{line!r} does not say on how many ranks the program is to run; say PROGRAM=RANKS,RANKS")
    if not out:
        parser.error("there are no programs; name some as PROGRAM=RANKS,RANKS, or give a --list of them")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="PROGRAM=RANKS,RANKS")
    parser.add_argument("--list", type=Path, help="a file of programs, ranks and arguments")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--programs", default=".", help="the folder of the programs; {mpi} is replaced")
    parser.add_argument("--inputs", help="a folder of files that programs find where they run; {ranks} and {mpi} are replaced")
    parser.add_argument("--expect", help="a text that a program prints if it has run well")
    parser.add_argument("--copied-handles", action="store_true", help="programs copy handles of requests: count those that the log does not know")
    parser.add_argument("--mpi", nargs="+", default=list(launch.LAUNCHERS), choices=launch.LAUNCHERS)
    parser.add_argument("--seconds", type=float, default=900, help="a run that takes longer has failed")
    parser.add_argument("--json", action="store_true", help="one object a row instead, with calls by function and what failed")
    options = parser.parse_args()
    cases = cases_of(options, parser)
    if options.inputs:
        options.inputs = str(Path(options.inputs).resolve())

    good = True
    if not options.json:
        print("| " + " | ".join(HEAD) + " |")
        print("|---|---|" + "---:|" * 3 + "---|---|" + "---:|" * 2)
    for case in cases:
        for mpi in options.mpi:
            with tempfile.TemporaryDirectory() as scratch:
                row = Examiner(options, Path(scratch)).examine(case, mpi)
            good = good and row.is_good()
            print(json.dumps(dataclasses.asdict(row)) if options.json else f"| {' | '.join(row.cells())} |", flush=True)
            for problem in [] if options.json else row.problems:
                print(f"{row.program} on {row.ranks} ranks, {mpi}: {problem}", file=sys.stderr)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
