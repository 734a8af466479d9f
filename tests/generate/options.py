#!/usr/bin/env python3
"""Checks what a benchmark in C may be asked, and what `reprise generate --times` leaves of its computation.

    options.py --reprise build/bin/reprise --mpi mpich --ranks 4 -- PROGRAM ARGUMENT...

The program has a main loop, sends messages of several elements and computes.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

# Words that are refused, and what has to be said.
REFUSED = {
    ("--compute-scale", "inf"): "--compute-scale inf: that is too large",
    ("--compute-scale", "nan"): "--compute-scale nan: that is not a number",
    ("--compute-scale", "-1"): "--compute-scale -1: that is not a number of 0 or more",
    ("--compute-scale", "nowhere=2"): "--compute-scale nowhere=2: no call has that word",
    ("--message-scale", "abc"): "--message-scale abc: that is not a number",
    ("--message-scale", "1e12"): "--message-scale 1e12: that is too large",
    ("--message-scale", "1e9"): "--message-scale 1e+09 makes a count of",
    ("--iterations", "2.5"): "--iterations 2.5: that is not a whole number",
    ("--iterations", "-1"): "--iterations -1: that is not a number of 0 or more",
    ("--iterations",): "--iterations: its value is missing",
    ("--compute", "fast"): "--compute fast: that is neither spin nor sleep",
    ("--fast",): "--fast: there is no such option",
}


class Failed(Exception):
    pass


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Failed(what)


class Benchmark:
    def __init__(self, options, scratch: Path, times: str) -> None:
        self.options, self.scratch = options, scratch
        self.source, self.program = scratch / f"{times}.c", scratch / times
        words = [options.reprise, "generate", "--times", times, "--single-file", str(scratch / "t"), "-o", str(self.source)]
        subprocess.run(words, check=True)
        subprocess.run([f"mpicc.{options.mpi}", "-w", "-o", str(self.program), str(self.source)], check=True)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return launch.run(
            launch.command(self.options.mpi, self.options.ranks, [str(self.program), *words]), self.options.waiting
        )

    def received(self, *words: str) -> int:
        """Bytes of receives."""
        report = self.run("--report", *words)
        need(report.returncode == 0, f"{words}: {report.stderr}")
        return sum(int(n) for n in re.findall(r"^MPI_I?recv +\d+ +\d+ +(\d+) ", report.stdout, re.MULTILINE))


def check(options, scratch: Path) -> None:
    record = [options.reprise, "record", "-o", str(scratch / "t"), "--"]
    recorded = launch.run([*record, *launch.command(options.mpi, options.ranks, options.program)], options.waiting)
    need(recorded.returncode == 0, recorded.stderr)
    for times in ("ranks", "mean"):
        run = Benchmark(options, scratch, times).run("--compute-scale", "0")
        need(run.returncode == 0, f"--times {times}: {run.stderr}")
    benchmark = Benchmark(options, scratch, "full")
    for words, why in REFUSED.items():
        run = benchmark.run(*words)
        need(run.returncode != 0 and why in run.stderr, f"{' '.join(words)} ended with {run.returncode}: {run.stderr}")
    for words in (("--compute-scale", "0", "--iterations", "2"), ("--compute-scale", "MPI=0", "--compute", "sleep")):
        run = benchmark.run(*words)
        need(run.returncode == 0, f"{' '.join(words)}: {run.stderr}")
    whole, half, double = (benchmark.received("--message-scale", x) for x in ("1", "0.5", "2"))
    need(whole > 0 and 2 * half == whole and double == 2 * whole, f"receives of {half}, {whole}, {double} bytes")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        try:
            check(options, Path(name))
        except Failed as e:
            print(e, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
