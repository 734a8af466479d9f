#!/usr/bin/env python3
"""Records a workload, writes a benchmark in coNCePTuaL, and records that: each rank does the same.

The same up to what docs/conceptual.md says is done otherwise, which tasks.py has in code of its own. With --golden FILE its
statements without computation are what the file has; REPRISE_UPDATE_GOLDENS=1 writes them there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent))
import launch  # noqa: E402
import tasks  # noqa: E402
import walk  # noqa: E402
from goldens import is_golden  # noqa: E402

BEGIN = "REQUIRE LANGUAGE"  # what is above names files


def record(options: argparse.Namespace, trace: Path, command: list[str], time: str = "paths") -> bool:
    words = [options.reprise, "record", "--time", time, "-o", str(trace), "--", *launch.command(options.mpi, options.ranks, command)]
    done = launch.run(words, options.waiting)
    if done.returncode:
        print(done.stdout, done.stderr, f"{command[0]} ended with status {done.returncode}", sep="", file=sys.stderr)
    return done.returncode == 0


def reprise(options: argparse.Namespace, *words: str) -> bool:
    done = launch.run([options.reprise, *words], None)
    print(done.stdout, done.stderr, sep="", end="", file=sys.stderr)
    return done.returncode == 0


def is_as_kept(options: argparse.Namespace, folder: Path) -> bool:
    """Whether the program without its times is what the golden has."""
    trace, text = folder / "timeless", folder / "timeless.ncptl"
    if not record(options, trace, [word.replace("{tmp}", str(folder)) for word in options.program], "none"):
        return False
    if not reprise(options, "generate", "--language", "conceptual", str(trace), "-o", str(text)):
        return False
    written = text.read_text()
    return is_golden(written[written.index(BEGIN) :], options.golden)


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--runner", required=True, help="reprise-run for this MPI")
    parser.add_argument("--refused", action="store_true", help="the benchmark cannot be written")
    parser.add_argument("--golden", type=Path)
    parser.add_argument("--trace", help="a recorded trace, instead of a program")
    parser.add_argument("program", nargs="*")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        given, fixed, again, text = folder / "given", folder / "fixed", folder / "again", folder / "benchmark.ncptl"
        if options.trace:
            given = Path(options.trace)
        elif not record(options, given, [word.replace("{tmp}", scratch) for word in options.program]):
            return 1
        written = reprise(options, "generate", "--language", "conceptual", str(given), "-o", str(text))
        if not written or options.refused:
            return 0 if options.refused and not written else 1
        if options.golden and not is_as_kept(options, folder):
            return 1
        if not record(options, again, [options.runner, str(text), "--compute_percent", "0"] if "compute_percent IS" in text.read_text() else [options.runner, str(text)]):
            print(text.read_text()[:20000], file=sys.stderr)
            return 1
        if not reprise(options, "transform", "resolve", str(given), "-o", str(fixed)):
            return 1
        flat = [[walk.walk(options.reprise, t, r) for r in range(options.ranks)] for t in (fixed, again)]
        expected = tasks.operations(flat[0], is_benchmark=False)
        found = tasks.operations(flat[1], is_benchmark=True)
        for rank, (a, b) in enumerate(zip(expected, found, strict=True)):
            if a == b:
                continue
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            print(f"rank {rank} differs in operation {at} of {len(a)}, {len(b)} in the benchmark:", file=sys.stderr)
            print(f"  expected {a[at - 2 : at + 3]}\n  found    {b[at - 2 : at + 3]}", file=sys.stderr)
            return 1
        print(f"{sum(map(len, expected))} operations of {options.ranks} ranks are the same; {len(text.read_text().splitlines())} lines")
        return 0


if __name__ == "__main__":
    sys.exit(main())
