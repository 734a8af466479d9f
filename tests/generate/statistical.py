#!/usr/bin/env python3
"""A benchmark whose irregular messages are drawn: as many calls and bytes as the program, to 5 %.

    statistical.py --reprise build/bin/reprise --mpi mpich --ranks 9 --waiting LIBRARY -- PROGRAM ARGUMENT...

It compiles without a warning, ends, and its own report finds what was drawn.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-std=c99", "-pedantic", "-Werror", "-O2"]
MOST_LINES = 250
BOUND = 0.05


def totals(reprise: str, trace: Path) -> dict[str, int]:
    told = subprocess.run([reprise, "stats", "--json", str(trace)], capture_output=True, text=True, check=True)
    rows = json.loads(told.stdout)["rows"]
    return {what: sum(row[what]["total"] for row in rows) for what in ("calls", "bytes_sent")}


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    def record(trace: Path, program: list[str]) -> bool:
        command = [options.reprise, "record", "-o", str(trace), "--", *launch.command(options.mpi, options.ranks, program)]
        run = launch.run(command, options.waiting)
        print(run.stdout, run.stderr, sep="", end="")
        return run.returncode == 0

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        original, source, benchmark = folder / "original", folder / "benchmark.c", folder / "benchmark"
        if not record(original, options.program):
            return 1
        was = totals(options.reprise, original)
        for detail in ("statistical", "mean"):
            command = [options.reprise, "generate", "--force", "--detail", detail, str(original), "-o", str(source)]
            written = subprocess.run(command, capture_output=True, text=True, check=False)
            if written.returncode:
                print(written.stderr, file=sys.stderr)
                return 1
            lines = len(source.read_text().splitlines())
            if lines > MOST_LINES or "exchange_drawn(" not in source.read_text():
                print(f"{detail}: {lines} lines", file=sys.stderr)
                return 1
            if subprocess.run([f"mpicc.{options.mpi}", *STRICT, "-o", str(benchmark), str(source)], check=False).returncode:
                return 1
            again = folder / detail
            if not record(again, [str(benchmark)]):
                return 1
            now = totals(options.reprise, again)
            print(f"{detail}: {lines} lines, {was} became {now}")
            for what, n in was.items():
                if abs(now[what] - n) > BOUND * n:
                    print(f"{detail}: {what} are {now[what]}, not {n}", file=sys.stderr)
                    return 1
            reported = launch.run(launch.command(options.mpi, options.ranks, [str(benchmark), "--report"]), options.waiting)
            rows = re.findall(r"^(MPI_\w+) +\d+ +\d+ +\d+ +-?\d+(.*)$", reported.stdout, re.MULTILINE)
            if reported.returncode or not rows or any(row[1] for row in rows):
                print(f"its own report finds a difference:\n{reported.stdout}{reported.stderr}", file=sys.stderr)
                return 1
    print("it has as many calls and bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
