#!/usr/bin/env python3
"""Records a program in SMPI, then its replay: both must do the same, in the same simulated time.

    replayed.py --reprise build/bin/reprise --ranks 16 -- PROGRAM ARGUMENT...
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulated import PATIENCE, launch, simulated, simulated_time  # noqa: E402

IGNORED = "callpaths,times,polls"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--time", action="store_true", help="compare simulated times too")
    parser.add_argument("--within", type=float, default=2, help="how far these may be apart [%%]")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        program = [word.replace("{tmp}", scratch) for word in options.program]
        traces = [Path(scratch) / name for name in ("original", "replay")]
        replay = str(Path(options.reprise).parent.parent / "lib" / "reprise-replay-smpi")
        times = []
        for trace, words in zip(traces, (program, [replay, str(traces[0])])):
            command = simulated(Path(scratch), options.ranks, words)
            run = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], None, PATIENCE)
            print(run.stdout, run.stderr, sep="", end="")
            if run.returncode or not trace.exists():
                print(f"{words[0]} ended with status {run.returncode}", file=sys.stderr)
                return 1
            times.append(float(simulated_time(run.stdout + run.stderr)))
        compare = [options.reprise, "diff", "--ignore", IGNORED, *map(str, traces)]
        difference = subprocess.run(compare, capture_output=True, text=True, check=False)
        if difference.returncode:
            print(f"the replay does otherwise:\n{difference.stdout}{difference.stderr}", file=sys.stderr)
            return 1
        error = abs(times[1] - times[0]) / times[0]
        print(f"simulated {times[0]} s, replayed {times[1]} s: error {100 * error:.3f} %")
        return 1 if options.time and 100 * error > options.within else 0


if __name__ == "__main__":
    sys.exit(main())
