#!/usr/bin/env python3
"""Records a program, writes it as a benchmark in C, and records that: both must do the same.

    benchmark.py --reprise build/bin/reprise --mpi openmpi --ranks 4 -- PROGRAM ARGUMENT...

The benchmark compiles without a warning, and finds itself that it made as many calls and
handed over as many bytes as the trace has. With --golden FILE its
functions are what the file has; REPRISE_UPDATE_GOLDENS=1 writes them there. With --refused it cannot be written, and that is said. Call paths, the
numbers of polls, the names of files and what wildcards matched may differ; so may what --free names. With --own-session the
benchmark makes the calls of a session of its own besides, which number all handles anew: calls are then compared by function.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from goldens import is_golden  # noqa: E402

IGNORED = "callpaths,times,polls,matches,filename"
OWN_SESSION = [
    "MPI_Session_init", "MPI_Group_from_session_pset", "MPI_Comm_create_from_group", "MPI_Group_free", "MPI_Comm_free",
    "MPI_Session_finalize",
]  # fmt: skip
BEGIN, END = "/* The program. */", "\n/* The calls by number"
STRICT = ["-Wall", "-Wextra", "-std=c99", "-pedantic", "-Werror", "-O2"]


def record(reprise: str, command: list[str], trace: Path, waiting: Path | None) -> str | None:
    run = launch.run([reprise, "record", "-o", str(trace), "--", *command], waiting)
    print(run.stdout, run.stderr, sep="", end="")
    if run.returncode or not trace.exists():
        print(f"{' '.join(command)} ended with status {run.returncode}", file=sys.stderr)
        return None
    return run.stdout


def compiled(compiler: str, source: Path, program: Path) -> bool:
    run = subprocess.run([compiler, *STRICT, "-o", str(program), str(source)], capture_output=True, text=True, check=False)
    print(run.stderr, end="", file=sys.stderr)
    return run.returncode == 0


def added(reprise: str, original: Path, again: Path) -> dict[str, int]:
    """How many calls more the benchmark makes, by function."""
    counts: list[Counter[str]] = []
    for trace in (original, again):
        told = subprocess.run([reprise, "stats", "--json", str(trace)], capture_output=True, text=True, check=True)
        counts.append(Counter({row["function"]: row["calls"]["total"] for row in json.loads(told.stdout)["rows"]}))
    counts[1].subtract(counts[0])
    return {function: n for function, n in counts[1].items() if n}


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--free", default="", help="parameters that depend on how fast messages are, with commas")
    parser.add_argument("--refused", action="store_true")
    parser.add_argument("--own-session", action="store_true", help="the program has no MPI_Init: compare how often functions are called, as its benchmark opens a session of its own")
    parser.add_argument("--golden", type=Path)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        program = [word.replace("{tmp}", name) for word in options.program]
        original, again, source, benchmark = (scratch / n for n in ("original", "again", "benchmark.c", "benchmark"))
        if record(options.reprise, launch.command(options.mpi, options.ranks, program), original, options.waiting) is None:
            return 1
        written = subprocess.run(
            [options.reprise, "generate", str(original), "-o", str(source)], capture_output=True, text=True, check=False
        )
        print(written.stderr, end="")
        if written.returncode or options.refused:
            return 0 if options.refused and written.returncode and "threads" in written.stderr else 1
        text = source.read_text()
        if options.golden and not is_golden(text[text.index(BEGIN) : text.index(END)], options.golden):
            return 1
        if not compiled(f"mpicc.{options.mpi}", source, benchmark):
            return 1
        command = launch.command(options.mpi, options.ranks, [str(benchmark), "--files", name])
        if record(options.reprise, command, again, options.waiting) is None:
            return 1
        # Open MPI has one handle for all sends that are buffered.
        shared = "handles" if options.mpi == "openmpi" else ""
        ignored = ",".join(filter(None, [IGNORED, shared, options.free]))
        if options.own_session:
            more = added(options.reprise, original, again)
            if more != dict.fromkeys(OWN_SESSION, options.ranks):
                print(f"the benchmark makes more calls: {more}", file=sys.stderr)
                return 1
        else:
            compare = [options.reprise, "diff", "--ignore", ignored, str(original), str(again)]
            difference = subprocess.run(compare, capture_output=True, text=True, check=False)
            if difference.returncode:
                print(f"the benchmark does otherwise:\n{difference.stdout}{difference.stderr}", file=sys.stderr)
                return 1
        reported = launch.run([*command, "--report"], options.waiting)
        rows = re.findall(r"^(MPI_\w+) +\d+ +\d+ +\d+ +-?\d+(.*)$", reported.stdout, re.MULTILINE)
        if reported.returncode or not rows or any(row[1] for row in rows):
            print(f"its own report finds a difference:\n{reported.stdout}{reported.stderr}", file=sys.stderr)
            return 1
    print("the benchmark does the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
