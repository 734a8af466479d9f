#!/usr/bin/env python3
"""Records a program in SMPI, writes it as a benchmark, and runs that: it must take the same simulated time.

    generated.py --reprise build/bin/reprise --ranks 16 [--language conceptual] -- PROGRAM ARGUMENT...
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from simulated import PATIENCE, launch, simulated, simulated_time  # noqa: E402


def benchmark_of(trace: Path, reprise: str, language: str, detail: str, scratch: Path) -> list[str]:
    """Writes the benchmark of a trace; the command that executes it under smpirun."""
    if language == "conceptual":
        source = scratch / "benchmark.ncptl"
        subprocess.run([reprise, "generate", "--language", language, str(trace), "-o", str(source)], check=True)
        return [str(Path(reprise).parent.parent / "lib" / "reprise-run-smpi"), str(source)]
    source, benchmark = scratch / "benchmark.c", scratch / "benchmark"
    subprocess.run([reprise, "generate", "--detail", detail, str(trace), "-o", str(source)], check=True)
    subprocess.run(["smpicc", "-O1", "-w", "-o", str(benchmark), str(source)], check=True)
    return [str(benchmark)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--language", choices=["c", "conceptual"], default="c")
    parser.add_argument("--time", action="store_true", help="compare simulated times")
    parser.add_argument("--within", type=float, default=2, help="how far these may be apart [%%]")
    parser.add_argument("--detail", choices=["exact", "mean", "statistical"], default="exact", help="of the benchmark")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        program = [word.replace("{tmp}", name) for word in options.program]
        trace = scratch / "original"
        run = launch.run([options.reprise, "record", "-o", str(trace), "--", *simulated(scratch, options.ranks, program)], None, PATIENCE)
        print(run.stdout, run.stderr, sep="", end="")
        if run.returncode or not trace.exists():
            print(f"the program ended with status {run.returncode}", file=sys.stderr)
            return 1
        recorded = float(simulated_time(run.stdout + run.stderr))
        benchmark = benchmark_of(trace, options.reprise, options.language, options.detail, scratch)
        run = launch.run(simulated(scratch, options.ranks, benchmark), None, PATIENCE)
        if run.returncode:
            print(f"the benchmark ended with status {run.returncode}\n{run.stdout}{run.stderr}", file=sys.stderr)
            return 1
        generated = float(simulated_time(run.stdout + run.stderr))
        error = abs(generated - recorded) / recorded
        print(f"simulated {recorded} s, generated {generated} s: error {100 * error:.3f} %")
        return 1 if options.time and 100 * error > options.within else 0


if __name__ == "__main__":
    sys.exit(main())
