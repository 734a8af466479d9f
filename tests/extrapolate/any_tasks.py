#!/usr/bin/env python3
"""The coNCePTuaL program of a scalable trace, on numbers of ranks that were held out, against the application there.

The laws come from runs under SMPI; the program is executed with an MPI, recorded, and compared in the terms of
tests/conceptual/tasks.py with what the application does, which is recorded under SMPI.

    any_tasks.py --reprise build/bin/reprise --runner build/lib/reprise-run-openmpi --mpi openmpi
                 --from 4,9,16 --to 25 --not 12 -- PROGRAM ARGUMENT...
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "conceptual"))
from extrapolated import launch, record  # noqa: E402

import tasks  # noqa: E402
import walk  # noqa: E402


def parse() -> argparse.Namespace:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--runner", required=True, help="reprise-run for this MPI")
    parser.add_argument("--from", dest="inputs", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--to", default="", help="numbers of ranks, with commas")
    parser.add_argument("--not", dest="refused", type=int, help="a number of ranks that it must not run on")
    parser.add_argument("--unwritable", help="instead, no program can be written, and this is said")
    parser.add_argument("program", nargs="+")
    return parser.parse_args()


def same(options: argparse.Namespace, folder: Path, text: Path, ranks: int) -> bool:
    """Whether the program does on so many tasks what the application does."""
    application, again = record(options.reprise, folder, ranks, options.program), folder / "again.reprise"
    command = launch.command(options.mpi, ranks, [options.runner, str(text)])
    run = launch.run([options.reprise, "record", "--time", "none", "-o", str(again), "--", *command], options.waiting)
    if run.returncode:
        print(run.stdout, run.stderr, file=sys.stderr)
        return False
    flat = [[walk.walk(options.reprise, t, r) for r in range(ranks)] for t in (application, again)]
    again.unlink()
    expected = tasks.operations(flat[0], is_benchmark=False)
    found = tasks.operations(flat[1], is_benchmark=True)
    for rank, (a, b) in enumerate(zip(expected, found, strict=True)):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            print(f"rank {rank} of {ranks} differs in operation {at} of {len(a)}, {len(b)} in the program:", file=sys.stderr)
            print(f"  expected {a[at - 2 : at + 3]}\n  found    {b[at - 2 : at + 3]}", file=sys.stderr)
            return False
    print(f"{ranks} tasks: {sum(map(len, expected))} operations are the same")
    return True


def main() -> int:
    options = parse()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [str(record(options.reprise, folder, int(n), options.program)) for n in options.inputs.split(",")]
        app, text = folder / "app.reprise", folder / "app.ncptl"
        subprocess.run([options.reprise, "fit", *inputs, "-o", str(app)], check=True)
        generate = [options.reprise, "generate", "--language", "conceptual", str(app), "-o", str(text)]
        written = subprocess.run(generate, capture_output=True, text=True, check=False)
        print(written.stdout, written.stderr)
        if options.unwritable:
            return 0 if written.returncode == 1 and options.unwritable in written.stderr and not text.exists() else 1
        if written.returncode:
            return 1
        wrong = sum(not same(options, folder, text, int(n)) for n in options.to.split(","))
        if wrong:
            print(text.read_text(), file=sys.stderr)
        if options.refused:
            run = launch.run(launch.command(options.mpi, options.refused, [options.runner, str(text)]), options.waiting)
            if run.returncode == 0 or "it runs on" not in run.stdout + run.stderr:
                wrong += 1
                print(f"it ran on {options.refused} tasks", run.stdout, run.stderr, file=sys.stderr)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
