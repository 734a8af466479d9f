#!/usr/bin/env python3
"""Records a program in SMPI, writes it as a benchmark in C, and runs that: it must take the same simulated time.

    generated.py --reprise build/bin/reprise --ranks 16 -- PROGRAM ARGUMENT...
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulated import PATIENCE, launch, simulated, simulated_time  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--time", action="store_true", help="compare simulated times")
    parser.add_argument("--within", type=float, default=2, help="how far these may be apart [%%]")
    parser.add_argument("--detail", choices=["exact", "mean", "statistical"], default="exact", help="of the benchmark")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        program = [word.replace("{tmp}", name) for word in options.program]
        trace, source, benchmark = scratch / "original", scratch / "benchmark.c", scratch / "benchmark"
        run = launch.run([options.reprise, "record", "-o", str(trace), "--", *simulated(scratch, options.ranks, program)], None, PATIENCE)
        print(run.stdout, run.stderr, sep="", end="")
        if run.returncode or not trace.exists():
            print(f"the program ended with status {run.returncode}", file=sys.stderr)
            return 1
        recorded = float(simulated_time(run.stdout + run.stderr))
        generate = [options.reprise, "generate", "--detail", options.detail, str(trace), "-o", str(source)]
        subprocess.run(generate, check=True)
        subprocess.run(["smpicc", "-O1", "-w", "-o", str(benchmark), str(source)], check=True)
        run = launch.run(simulated(scratch, options.ranks, [str(benchmark)]), None, PATIENCE)
        if run.returncode:
            print(f"the benchmark ended with status {run.returncode}\n{run.stdout}{run.stderr}", file=sys.stderr)
            return 1
        generated = float(simulated_time(run.stdout + run.stderr))
        error = abs(generated - recorded) / recorded
        print(f"simulated {recorded} s, generated {generated} s: error {100 * error:.3f} %")
        return 1 if options.time and 100 * error > options.within else 0


if __name__ == "__main__":
    sys.exit(main())
