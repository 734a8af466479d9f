#!/usr/bin/env python3
"""How well a replay keeps time: programs in simulated time, beside replays of their traces.

    replay_accuracy.py --build build/dev [--ranks 16 64 256] [--only NAME...] [--steps N] [--settings NAME...]
                       [--ways NAME...]

Prints a Markdown table: the simulated time of each program, and the relative error of its replay for each way of
keeping times. Simulated time repeats exactly, so every figure does.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "smpi"), str(ROOT / "tests")]
from simulated import PATIENCE, launch, simulated, simulated_time  # noqa: E402

WAYS = {
    "paths": [],
    "histogram": ["--time", "histogram"],
    "stats": ["--time", "stats"],
    "10 bins": ["--bins", "10"],
    "exact": ["--time-precision", "0"],
}
# What the ranks compute: examples/compute.h. Noise is 5 % everywhere; computation takes the larger part of the time.
SETTINGS = {
    "even": {},
    "one rank twice as slow": {"COMPUTE_SLOW": "1"},
    "bimodal over iterations": {"COMPUTE_BURST": "9"},
    "bimodal over ranks": {"COMPUTE_GROUPS": "2"},
    "drifting": {"COMPUTE_DRIFT": "1"},
    "moving": {"COMPUTE_MOVE": "1"},
}
COMMON = {"COMPUTE_SCALE": "100", "COMPUTE_NOISE": "0.05"}


def workloads(steps: int | None = None) -> list[tuple[str, str, list[str]]]:
    """Name, rule for the number of ranks and arguments of those that SMPI can run. With `steps`, of those that take steps, as many."""
    found = []
    for line in (ROOT / "examples" / "workloads.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and not line.startswith("#") and words[4] == "yes":
            arguments = [w for w in words[5:] if w != "-"]
            if steps is not None:
                if "--steps" not in arguments:
                    continue
                arguments[arguments.index("--steps") + 1] = str(steps)
            found.append((words[0], words[3], arguments))
    return found


def runs_on(rule: str, ranks: int) -> bool:
    if rule == "square":
        return round(ranks**0.5) ** 2 == ranks
    return ranks & (ranks - 1) == 0 if rule == "pow2" else True


def time_of(words: list[str], env: dict[str, str]) -> float:
    before = dict(os.environ)
    os.environ.update(env)
    run = launch.run(words, None, PATIENCE)
    os.environ.clear()
    os.environ.update(before)
    if run.returncode:
        sys.exit(f"{' '.join(words)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    return float(simulated_time(run.stdout + run.stderr))


def errors_of(
    build: Path, ranks: int, program: list[str], env: dict[str, str], ways: list[str]
) -> tuple[float, list[float]]:
    """The program's simulated time [s], and the relative error of its replay for each way."""
    errors, alone = [], 0.0
    with tempfile.TemporaryDirectory() as scratch:
        for way in ways:
            trace = f"{scratch}/{len(errors)}.reprise"
            record = [str(build / "bin" / "reprise"), "record", "--callpaths", "site", *WAYS[way], "-o", trace, "--"]
            alone = time_of(record + simulated(Path(scratch), ranks, program), env)
            replay = [str(build / "lib" / "reprise-replay-smpi"), trace]
            replayed = time_of(simulated(Path(scratch), ranks, replay), {})
            errors.append((replayed - alone) / alone)
    return alone, errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--ranks", type=int, nargs="+", default=[16])
    parser.add_argument("--only", nargs="*", help="these workloads")
    parser.add_argument("--steps", type=int, help="of workloads that take steps")
    parser.add_argument("--settings", nargs="*", choices=list(SETTINGS), default=list(SETTINGS))
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=["paths", "histogram", "stats"])
    options = parser.parse_args()
    print("| workload | ranks | computation | time [s] | " + " | ".join(f"{w} [%]" for w in options.ways) + " |")
    print("|---|---:|---|---:|" + "---:|" * len(options.ways))
    for name, rule, arguments in workloads(options.steps):
        if options.only and name not in options.only:
            continue
        for ranks in options.ranks:
            if not runs_on(rule, ranks):
                continue
            program = [str(options.build.resolve() / "workloads" / "smpi" / name), *arguments]
            for setting in options.settings:
                alone, errors = errors_of(options.build.resolve(), ranks, program, {**COMMON, **SETTINGS[setting]}, options.ways)
                cells = [name, str(ranks), setting, f"{alone:.6f}", *(f"{100 * e:+.2f}" for e in errors)]
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
