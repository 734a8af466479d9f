#!/usr/bin/env python3
"""How well a generated benchmark keeps time: programs in simulated time, beside the C written from their traces.

    generate_accuracy.py --build build/dev [--ranks 16 64 256] [--only NAME...] [--settings NAME...]
    generate_accuracy.py --build build/dev --ranks 16 --only stencil2d --what-if

Prints a Markdown table: the simulated time of each program, and the relative error of its benchmark. With --what-if, the
time of the benchmark with 100 % of the computation down to none, in steps of 10 %.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from replay_accuracy import COMMON, SETTINGS, runs_on, simulated, time_of, workloads  # noqa: E402


class Benchmark:
    """The C written from a recording of the program, compiled for SMPI."""

    def __init__(self, build: Path, scratch: Path, ranks: int, program: list[str], env: dict[str, str]) -> None:
        self.scratch, self.ranks = scratch, ranks
        reprise, trace, source = str(build / "bin" / "reprise"), scratch / "t.reprise", scratch / "benchmark.c"
        words = [w.replace("{tmp}", str(scratch)) for w in program]
        self.recorded = time_of([reprise, "record", "-o", str(trace), "--", *simulated(scratch, ranks, words)], env)
        subprocess.run([reprise, "generate", str(trace), "-o", str(source)], check=True)
        subprocess.run(["smpicc", "-O1", "-w", "-o", str(scratch / "benchmark"), str(source)], check=True)

    def time(self, *options: str) -> float:
        """Simulated [s]."""
        return time_of(simulated(self.scratch, self.ranks, [str(self.scratch / "benchmark"), *options]), {})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[16])
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--what-if", action="store_true")
    options = parser.parse_args()
    for ranks in options.ranks:
        print(f"\nOn {ranks} ranks [s, %]:\n\n| |" + "".join(f" {s} |" for s in options.settings))
        print("|---|" + "---:|" * len(options.settings))
        errors: list[float] = []
        for name, rule, words in workloads():
            if not runs_on(rule, ranks) or (options.only and name not in options.only):
                continue
            cells = []
            for setting in options.settings:
                with tempfile.TemporaryDirectory() as scratch:
                    program = [str(options.build / "workloads" / "smpi" / name), *words]
                    b = Benchmark(options.build, Path(scratch), ranks, program, {**COMMON, **SETTINGS[setting]})
                    if options.what_if:
                        for percent in range(100, -1, -10):
                            print(f"{percent} % {b.time('--compute-scale', str(percent / 100)):.6f} s", flush=True)
                        continue
                    error = b.time() / b.recorded - 1
                    errors.append(abs(error))
                    cells.append(f"{b.recorded:.6f} {100 * error:+.2f}")
            if cells:
                print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        if errors:
            within = sum(e <= 0.02 for e in errors)
            print(f"\nMean of the errors {100 * sum(errors) / len(errors):.2f} %; {within} of {len(errors)} within 2 %.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
