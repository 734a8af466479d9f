#!/usr/bin/env python3
"""The Python program of a scalable trace, on numbers of ranks that were held out: it makes the calls of the trace that
is extrapolated there. The laws come from runs under SMPI; the program runs with an MPI.

    any_ranks_python.py --reprise build/bin/reprise --mpi mpich --python python3 --from 4,9,16 --to 25 --not 12
                        -- PROGRAM ARGUMENT...
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from extrapolated import launch, record

# Open MPI has one handle for all sends that are buffered.
IGNORED = "callpaths,times,polls,matches,filename,proc_null,handles"


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--python", required=True, help="an interpreter that has mpi4py for this MPI")
    parser.add_argument("--from", dest="inputs", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--to", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--not", dest="refused", type=int, help="a number of ranks that it must not run on")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [str(record(options.reprise, folder, int(n), options.program)) for n in options.inputs.split(",")]
        app, text = folder / "app.reprise", folder / "app.py"
        subprocess.run([options.reprise, "fit", *inputs, "-o", str(app)], check=True)
        subprocess.run([options.reprise, "generate", "--language", "python", str(app), "-o", str(text)], check=True)
        wrong = 0
        for ranks in map(int, options.to.split(",")):
            expected, again = folder / f"expected-{ranks}", folder / f"again-{ranks}"
            words = ["extrapolate", str(app), "--ranks", str(ranks), "-o", str(expected)]
            subprocess.run([options.reprise, *words], check=True)
            command = launch.command(options.mpi, ranks, [options.python, str(text), "--files", scratch])
            run = launch.run([options.reprise, "record", "--time", "none", "-o", str(again), "--", *command], options.waiting)
            if run.returncode or not again.exists():
                print(run.stdout, run.stderr, text.read_text(), file=sys.stderr)
                return 1
            compare = [options.reprise, "diff", "--ignore", IGNORED, str(expected), str(again)]
            difference = subprocess.run(compare, capture_output=True, text=True, check=False)
            print(f"{ranks} ranks: {'the same' if difference.returncode == 0 else 'different'}")
            if difference.returncode:
                wrong += 1
                print(difference.stdout, difference.stderr, text.read_text(), file=sys.stderr)
        if options.refused:
            run = launch.run(launch.command(options.mpi, options.refused, [options.python, str(text)]), options.waiting)
            if run.returncode == 0 or "this program runs on" not in run.stdout + run.stderr:
                wrong += 1
                print(f"it ran on {options.refused} ranks", run.stdout, run.stderr, file=sys.stderr)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
