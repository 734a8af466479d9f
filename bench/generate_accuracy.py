#!/usr/bin/env python3
"""How well a generated benchmark keeps time: programs in simulated time, beside the C written from their traces.

    generate_accuracy.py --build build/dev [--ranks 16 64 256] [--only NAME...] [--settings NAME...] [--patience SECONDS]
    generate_accuracy.py --build build/dev --ranks 16 --only stencil2d --settings even --what-if what_if.svg
    generate_accuracy.py --build build/dev --ranks 4 9 16 --only amr poller irregular --detail statistical

Prints a Markdown table: the simulated time of each program, and the relative error of its benchmark; `-` where that takes
longer to simulate than one is patient. With --what-if, the time of the benchmark with 100 % of the computation down to
none, in steps of 10 %, which is drawn as well.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from replay_accuracy import COMMON, SETTINGS, launch, runs_on, simulated, simulated_time, workloads  # noqa: E402

WITHIN = 0.02


def time_of(words: list[str], env: dict[str, str], patience: float) -> float:
    """Simulated [s]. What takes too long is ended with all that it has started."""
    environment = {**launch.environment(None), **env}
    run = subprocess.Popen(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = run.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        raise
    if run.returncode:
        sys.exit(f"{' '.join(words)} ended with {run.returncode}:\n{output}")
    return float(simulated_time(output))


class Benchmark:
    """The C written from a recording of the program, compiled for SMPI."""

    def __init__(
        self, build: Path, scratch: Path, ranks: int, program: list[str], env: dict[str, str], patience: float, detail: str
    ) -> None:
        self.scratch, self.ranks, self.patience = scratch, ranks, patience
        reprise, trace, source = str(build / "bin" / "reprise"), scratch / "t.reprise", scratch / "benchmark.c"
        words = [w.replace("{tmp}", str(scratch)) for w in program]
        self.recorded = time_of([reprise, "record", "-o", str(trace), "--", *simulated(scratch, ranks, words)], env, patience)
        subprocess.run([reprise, "generate", "--detail", detail, str(trace), "-o", str(source)], check=True)
        subprocess.run(["smpicc", "-O1", "-w", "-o", str(scratch / "benchmark"), str(source)], check=True)

    def time(self, *options: str) -> float:
        """Simulated [s]."""
        words = simulated(self.scratch, self.ranks, [str(self.scratch / "benchmark"), *options])
        return time_of(words, {}, self.patience)


def what_if(benchmark: Benchmark, title: str, drawing: Path) -> None:
    """The paper's figure 7: how the time falls as computation gets faster."""
    points = [(percent, benchmark.time("--compute-scale", str(percent / 100))) for percent in range(100, -1, -10)]
    for percent, seconds in points:
        print(f"| {percent} % | {1e6 * seconds:.0f} us | {100 * seconds / points[0][1]:.1f} % |", flush=True)
    top, left, width, height = 40, 60, 480, 240
    x = lambda percent: left + width * (100 - percent) / 100  # noqa: E731
    y = lambda seconds: top + height * (1 - seconds / points[0][1])  # noqa: E731
    lines = [f'<line x1="{left}" y1="{y(s):.1f}" x2="{left + width}" y2="{y(s):.1f}" stroke="#ddd"/>'
             f'<text x="{left - 6}" y="{y(s) + 4:.1f}" text-anchor="end">{1e6 * s:.0f}</text>'
             for s in (points[0][1] * part / 4 for part in range(5))]  # fmt: skip
    lines += [f'<text x="{x(p):.1f}" y="{top + height + 18}" text-anchor="middle">{p}</text>' for p, _ in points]
    lines.append('<polyline fill="none" stroke="#0b6" stroke-width="2" points="'
                 + " ".join(f"{x(p):.1f},{y(s):.1f}" for p, s in points) + '"/>')  # fmt: skip
    lines += [f'<circle cx="{x(p):.1f}" cy="{y(s):.1f}" r="3" fill="#0b6"/>' for p, s in points]
    drawing.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{top + height + 50}" '
        f'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="{left}" y="20" font-size="14">{title}: time [us] by computation [%]</text>\n'
        + "\n".join(lines) + "\n</svg>\n", encoding="utf-8",
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[16])
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--patience", type=float, default=600, help="of each simulation [s]")
    parser.add_argument("--what-if", type=Path, metavar="SVG")
    parser.add_argument("--detail", choices=["exact", "mean", "statistical"], default="exact", help="of the benchmarks")
    options = parser.parse_args()
    build = options.build.resolve()
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
                    program = [str(build / "workloads" / "smpi" / name), *words]
                    try:
                        env = {**COMMON, **SETTINGS[setting]}
                        b = Benchmark(build, Path(scratch), ranks, program, env, options.patience, options.detail)
                        if options.what_if:
                            what_if(b, re.sub(r"_", " ", f"{name} on {ranks} ranks"), options.what_if)
                            continue
                        error = b.time() / b.recorded - 1
                    except subprocess.TimeoutExpired:
                        cells.append("-")
                        continue
                    errors.append(abs(error))
                    cells.append(f"{b.recorded:.6f} {100 * error:+.2f}")
            if cells:
                print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        if errors:
            within = sum(e <= WITHIN for e in errors)
            print(f"\nMean of the errors {100 * sum(errors) / len(errors):.2f} %; {within} of {len(errors)} within 2 %.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
