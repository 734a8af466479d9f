#!/usr/bin/env python3
"""Whether the programs of a test suite are recorded and replayed; a Markdown table by folder of the suite.

    suite.py --build build/dev --programs suite/build --lists suite/source pt2pt coll comm

The suite is one whose folders have lists of tests, as MPICH's: `FOLDER/testlist` in the folder of the programs or of
--lists, with lines `PROGRAM RANKS [arg=WORD] [env=NAME=VALUE] ...`; a line that names a folder stands for the list in it.
Each test runs

- alone: it passes if it ends with status 0 and prints "No Errors". One that takes longer than --seconds is left out;
- recorded: it has to end as it does alone, and if it passes, there must be a trace;
- if it passes, replayed from that trace, which is recorded in turn: a fixed point if `reprise diff` finds the two to do
  the same, but for call paths, times, how often a poll was in vain, and which request is meant where several may have
  one handle. What `reprise replay` refuses, with a reason, is counted apart.

Every test that was not recorded, or whose replay is no fixed point, is named on stderr with what was printed. The exit
status is 0 if there is none.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

IGNORED = "callpaths,times,polls,handles"
VERDICTS = {
    "late": "time limit exceeded alone",
    "fails": "fail alone and recorded",
    "not recorded": "not recorded",
    "no fixed point": "replay differs",
    "replay failed": "replay fails",
    "refused": "replay refused",
    "fixed point": "fixed points",
}
LATE = 124  # the status of a command that takes too long
BAD = ("not recorded", "no fixed point", "replay failed")


@dataclass
class Test:
    """A line of a list."""

    folder: str
    program: str
    ranks: int
    arguments: list[str]
    environment: dict[str, str]


@dataclass
class Outcome:
    """What came of a test; `why` is what was printed."""

    verdict: str
    why: str = ""
    lost: dict[str, int] = dataclasses.field(default_factory=dict)  # calls that are not in the trace, by reason


def tests_of(folder: str, programs: Path, lists: Path) -> Iterator[Test]:
    found = [place / folder / "testlist" for place in (programs, lists) if (place / folder / "testlist").exists()]
    for line in found[0].read_text(encoding="utf-8").splitlines() if found else []:
        words = line.split("#")[0].split()
        if len(words) == 1 or (words and not words[1].isdigit()):
            yield from tests_of(f"{folder}/{words[0]}", programs, lists)
        elif words:
            settings = [word.partition("=")[::2] for word in words[2:] if "=" in word]
            yield Test(
                folder,
                words[0],
                int(words[1]),
                [value for name, value in settings if name == "arg"],
                dict(value.partition("=")[::2] for name, value in settings if name == "env"),
            )


class Runner:
    def __init__(self, options: argparse.Namespace, scratch: Path) -> None:
        self.options, self.scratch = options, scratch
        self.build = options.build
        self.reprise = str(self.build / "bin" / "reprise")

    def run(self, test: Test, words: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
        """What a command says; one that takes too long has status LATE."""
        before = dict(os.environ)
        os.environ.update(test.environment)
        try:
            return launch.run(words, self.build / "tests" / "libcheap_waiting.so", seconds)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, LATE, "", f"did not end within {seconds:g} s\n")
        finally:
            os.environ.clear()
            os.environ.update(before)

    def record(self, test: Test, trace: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Recording may take three times as long as the program alone may."""
        command = [self.reprise, "record", "-o", str(trace), "--", *launch.command(self.options.mpi, test.ranks, words)]
        return self.run(test, command, 3 * self.options.seconds)

    def examine(self, test: Test) -> Outcome:
        folder = self.options.programs / test.folder
        words = [str(folder / test.program), *test.arguments]
        os.chdir(self.scratch)
        alone = self.run(test, launch.command(self.options.mpi, test.ranks, words), self.options.seconds)
        if alone.returncode == LATE:
            return Outcome("late", said(alone))
        trace = self.scratch / "alone.reprise"
        recorded = self.record(test, trace, words)
        if not passes(alone):
            is_alike = recorded.returncode == alone.returncode and not passes(recorded)
            return Outcome("fails" if is_alike else "not recorded", said(recorded))
        if not passes(recorded) or not trace.exists():
            return Outcome("not recorded", said(recorded))
        told = subprocess.run([self.reprise, "info", "--json", trace], capture_output=True, text=True, check=False)
        if told.returncode:
            return Outcome("not recorded", said(told))
        lost = json.loads(told.stdout)["lost"]
        again = self.scratch / "again.reprise"
        replay = [str(self.build / "bin" / "reprise-replay"), str(trace), "--compute", "none", "--scratch", str(self.scratch)]
        replayed = self.record(test, again, replay)
        if replayed.returncode or not again.exists():
            is_refused = "(" in replayed.stderr and "cannot be replayed" in replayed.stderr
            return Outcome("refused" if is_refused else "replay failed", said(replayed), lost)
        differ = subprocess.run(
            [self.reprise, "diff", "--ignore", IGNORED, trace, again], capture_output=True, text=True, check=False
        )
        return Outcome("no fixed point" if differ.returncode else "fixed point", said(differ), lost)


def passes(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 0 and "No Errors" in done.stdout


def said(done: subprocess.CompletedProcess[str]) -> str:
    return f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="folders of the suite")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--programs", type=Path, required=True, help="where the suite was built")
    parser.add_argument("--lists", type=Path, help="where the suite's sources are, if its lists are there")
    parser.add_argument("--only", help="only programs with this in their names")
    parser.add_argument("--mpi", default="mpich", choices=launch.LAUNCHERS)
    parser.add_argument("--seconds", type=float, default=20, help="a test that takes longer alone is left out")
    parser.add_argument("--json", action="store_true", help="one object a test instead of the table")
    options = parser.parse_args()
    # Tests run in folders of their own.
    options.build, options.programs = options.build.resolve(), options.programs.resolve()
    options.lists = (options.lists or options.programs).resolve()

    if not options.json:
        print("| folder | tests | " + " | ".join(VERDICTS.values()) + " |\n|---|" + "---:|" * (1 + len(VERDICTS)))
    is_good = True
    every: Counter[str] = Counter()
    for folder in options.folders:
        found: Counter[str] = Counter()
        for test in tests_of(folder, options.programs, options.lists):
            if options.only and options.only not in test.program:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                outcome = Runner(options, Path(scratch)).examine(test)
            found[outcome.verdict] += 1
            every[outcome.verdict] += 1
            is_good = is_good and outcome.verdict not in BAD
            if options.json:
                print(json.dumps(dataclasses.asdict(test) | dataclasses.asdict(outcome)), flush=True)
            elif outcome.verdict in BAD:
                line = " ".join([f"{test.folder}/{test.program}", str(test.ranks), *test.arguments])
                print(f"{line}: {outcome.verdict}: {outcome.why}", file=sys.stderr, flush=True)
        if not options.json:
            counts = [found.total(), *(found[verdict] for verdict in VERDICTS)]
            print(f"| {folder} | " + " | ".join(map(str, counts)) + " |", flush=True)
    if not options.json and len(options.folders) > 1:
        counts = [every.total(), *(every[verdict] for verdict in VERDICTS)]
        print("| all | " + " | ".join(map(str, counts)) + " |", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
