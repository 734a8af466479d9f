#!/usr/bin/env python3
"""Records a program on four ranks; `reprise show` must print what stands in a file beside its source.

    shapes.py --reprise R --mpi openmpi|mpich --golden FILE [--waiting LIB] PROGRAM

The file has the lines of the program as `show` prints them, without the header and the places. The same is expected of each MPI and
each level of optimization, since the loops are those that the author wrote, and of traces of ranks that are merged.
"""

import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402


def listing(reprise: str, trace: Path) -> list[str]:
    shown = subprocess.run([reprise, "show", str(trace)], capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()[2:]  # without the header


def record(options, trace: Path, *choices: str) -> bool:
    command = [options.reprise, "record", *choices, "-o", str(trace), "--"]
    run = launch.run(command + launch.command(options.mpi, options.ranks, [options.program]), options.waiting)
    if run.returncode != 0:
        print(run.stdout, run.stderr, sep="\n")
    return run.returncode == 0


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--golden", required=True, type=Path)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--update", action="store_true", help="write the file; read it before it is kept")
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder, "shapes.reprise")
        if not record(options, trace):
            return 1
        shown = listing(options.reprise, trace)
        of_ranks, merged = Path(folder, "ranks.reprise"), Path(folder, "merged.reprise")
        if not record(options, of_ranks, "--merge", "none"):
            return 1
        parts = [f"{of_ranks}.{rank}" for rank in range(options.ranks)]
        subprocess.run([options.reprise, "merge", "-o", str(merged), *parts], check=True)
        of_merged = listing(options.reprise, merged)
    if options.update:
        options.golden.write_text("\n".join(shown) + "\n")
        return 0
    expected = options.golden.read_text().splitlines()
    for line in difflib.unified_diff(expected, shown, "expected", "shown", lineterm=""):
        print(line)
    for line in difflib.unified_diff(shown, of_merged, "shown", "of merged traces of ranks", lineterm=""):
        print(line)
    return 0 if shown == expected and of_merged == shown else 1


if __name__ == "__main__":
    sys.exit(main())
