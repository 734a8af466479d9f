#!/usr/bin/env python3
"""The benchmark of a scalable trace, on numbers of ranks that were held out, against the program there (under SMPI).
With --golden FILE its text, without the head, is held against a file.

    any_ranks.py --reprise build/bin/reprise --from 4,9,16 --to 25,36,49 --not 12 -- PROGRAM ARGUMENT...
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from extrapolated import launch, record, simulated

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from goldens import is_golden  # noqa: E402

BEGIN = "static const struct range"  # what stands behind the head of a program
WARNINGS = ["-O2", "-Wall", "-Wextra", "-std=c99", "-pedantic"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--from", dest="inputs", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--to", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--not", dest="refused", type=int, help="a number of ranks that it must not run on")
    parser.add_argument("--param", action="append", default=[], help="sizes, as for fit; --NAME N runs with N at last")
    parser.add_argument("--golden", type=Path)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [str(record(options.reprise, folder, int(n), options.program)) for n in options.inputs.split(",")]
        app, source, program = folder / "app.reprise", folder / "app.c", folder / "app"

        def check(*words: object) -> None:
            subprocess.run([str(w) for w in words], check=True)

        check(options.reprise, "fit", *inputs, "-o", app)
        check(options.reprise, "generate", app, "-o", source)
        flags = subprocess.run([options.reprise, "link-flags", "--mpi", "smpi"], capture_output=True, text=True, check=True)
        built = subprocess.run(["smpicc", *WARNINGS, "-o", str(program), str(source), *flags.stdout.split()], capture_output=True, text=True, check=False)
        warnings = [line for line in built.stderr.splitlines() if "app.c" in line and "warning" in line]
        if built.returncode or warnings:
            print(built.stderr, file=sys.stderr)
            return 1
        wrong = 0
        text = source.read_text()
        if options.golden and not is_golden(text[text.index(BEGIN) :], options.golden):
            wrong += 1
        for ranks in map(int, options.to.split(",")):
            (folder / "again").mkdir(exist_ok=True)
            again = record(options.reprise, folder / "again", ranks, [str(program)])
            expected = record(options.reprise, folder, ranks, options.program)
            compare = [options.reprise, "diff", "--ignore", "callpaths,times,polls", str(again), str(expected)]
            difference = subprocess.run(compare, capture_output=True, text=True, check=False)
            print(f"{ranks} ranks: {'the same' if difference.returncode == 0 else 'different'}")
            if difference.returncode:
                wrong += 1
                print(difference.stdout, difference.stderr, file=sys.stderr)
        if options.refused:
            command = simulated(folder, options.refused, [str(program)])
            run = launch.run(command, None, 100)
            if "this benchmark runs on" not in run.stdout + run.stderr:
                wrong += 1
                print(f"it ran on {options.refused} ranks", run.stdout, run.stderr, file=sys.stderr)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
