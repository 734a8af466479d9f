#!/usr/bin/env python3
"""Records a program, writes it as a benchmark in Python, and records that: both must do the same.

    python_benchmark.py --reprise build/bin/reprise --mpi openmpi --ranks 4 --python python3 -- PROGRAM ARGUMENT...

Call paths, the numbers of polls, the names of files and what wildcards matched may differ; so may what --free names. mpi4py
hands no buffer to MPI_PROC_NULL, so that buffer, count and datatype there may differ as well. With --refused REASON it
cannot be written, and that is said. With --golden FILE the part of the program that follows from the trace is what the file
has; REPRISE_UPDATE_GOLDENS=1 writes it there.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from goldens import is_golden  # noqa: E402

IGNORED = "callpaths,times,polls,matches,filename,proc_null"
BEGIN, END = "def start():", 'if __name__ == "__main__":'


def record(reprise: str, command: list[str], trace: Path, waiting: Path | None) -> bool:
    run = launch.run([reprise, "record", "-o", str(trace), "--", *command], waiting)
    print(run.stdout, run.stderr, sep="", end="")
    if run.returncode or not trace.exists():
        print(f"{' '.join(command)} ended with status {run.returncode}", file=sys.stderr)
        return False
    return True


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--python", required=True, help="an interpreter that has mpi4py for this MPI")
    parser.add_argument("--free", default="", help="parameters that depend on how fast messages are, with commas")
    parser.add_argument("--refused", help="words of the reason why there can be no program")
    parser.add_argument("--golden", type=Path)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        program = [word.replace("{tmp}", name) for word in options.program]
        original, again, benchmark = (scratch / n for n in ("original", "again", "benchmark.py"))
        if not record(options.reprise, launch.command(options.mpi, options.ranks, program), original, options.waiting):
            return 1
        written = subprocess.run(
            [options.reprise, "generate", "--language", "python", str(original), "-o", str(benchmark)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        print(written.stderr, end="", file=sys.stderr)
        if written.returncode or options.refused:
            return 0 if options.refused and written.returncode and options.refused in written.stderr else 1
        # The runtime part of a program and its times are not compared.
        text = benchmark.read_text()
        if options.golden and not is_golden(text[text.index(BEGIN) : text.index(END)], options.golden):
            return 1
        command = launch.command(options.mpi, options.ranks, [options.python, str(benchmark), "--files", name])
        if not record(options.reprise, command, again, options.waiting):
            return 1
        # Open MPI has one handle for all sends that are buffered.
        shared = "handles" if options.mpi == "openmpi" else ""
        ignored = ",".join(filter(None, [IGNORED, shared, options.free]))
        compare = [options.reprise, "diff", "--ignore", ignored, str(original), str(again)]
        difference = subprocess.run(compare, capture_output=True, text=True, check=False)
        if difference.returncode:
            print(f"the benchmark does otherwise:\n{difference.stdout}{difference.stderr}", file=sys.stderr)
            return 1
    print("the benchmark does the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
