#!/usr/bin/env python3
"""How well extrapolated times hold: programs in simulated time on few ranks, extrapolated, beside runs on many.

    extrapolation_accuracy.py --build build/dev [--to 256] [--only NAME...] [--settings NAME...] [--keep FOLDER]
    extrapolation_accuracy.py --build build/dev --traces FOLDER [--to 64] [--only NAME...]

Prints a Markdown table: the simulated time of each program on the target number of ranks, and for each time model the
relative error of the extrapolated run's duration, of all time spent, of single call sites, and of the replayed trace;
then how many of the notable laws have the truth within their interval. Simulated time repeats exactly, so every figure
does. The programs are the workloads of examples/, or applications of which FOLDER has recordings, named
PROGRAM.RANKS.reprise.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "smpi")]
from nas_extrapolation import input_runs, recordings  # noqa: E402
from replay_accuracy import COMMON, SETTINGS, time_of, workloads  # noqa: E402
from simulated import simulated  # noqa: E402

MODELS = ["curves", "paper"]
# Inputs, by what the program runs on.
INPUTS = {"square": [9, 16, 25, 36, 64], "pow2": [4, 8, 16, 32, 64], "any": [9, 16, 25, 36, 64]}
WORTH_SAYING = 0.01  # of all time: smaller call sites are left out of the largest error
# Locality: caches take up what is divided among more ranks, so that computation is k / n + c.
EXTRA = {"locality": {"COMPUTE_LOCALITY": "8"}, "imbalance": {"COMPUTE_IMBALANCE": "0.5"}}


class Bench:
    def __init__(self, build: Path, folder: Path) -> None:
        self.reprise = str(build / "bin" / "reprise")
        self.replayer = str(build / "lib" / "reprise-replay-smpi")
        self.programs = build / "workloads" / "smpi"
        self.folder = folder

    def record(self, name: str, arguments: list[str], ranks: int, env: dict[str, str], setting: str) -> tuple[Path, float]:
        """The trace, and the simulated time [s] of the run."""
        scratch = self.folder / f"{name}.{setting.replace(' ', '_')}.{ranks}"
        scratch.mkdir(exist_ok=True)
        trace, time = scratch / "trace.reprise", scratch / "time"
        if not time.exists():
            program = [str(self.programs / name), *(a.replace("{tmp}", str(scratch)) for a in arguments)]
            command = [self.reprise, "record", "--callpaths", "site", "--force", "-o", str(trace), "--"]
            time.write_text(str(time_of(command + simulated(scratch, ranks, program), {**COMMON, **env})))
        return trace, float(time.read_text())

    def spent(self, trace: Path) -> tuple[dict[str, float], float]:
        """What all ranks spend at each call site, computing and communicating [ns], and the duration [us]."""
        out: dict[str, float] = defaultdict(float)
        for row in json.loads(self.run("stats", "--times", "--json", str(trace)).stdout)["rows"]:
            out[f"{row['what']} {row['function']} {row['callpath']}"] += row["total_ns"]
        return out, json.loads(self.run("info", "--json", str(trace)).stdout)["duration_us"]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.reprise, *words], capture_output=True, text=True, check=False)

    def replay(self, trace: Path, ranks: int) -> float:
        return time_of(simulated(self.folder, ranks, [self.replayer, str(trace)]), {})


def site_errors(found: dict[str, float], truth: dict[str, float]) -> tuple[float, float]:
    """Time that is at the wrong call site, and the largest error of a notable one, relative."""
    whole = sum(truth.values())
    misplaced = sum(abs(found.get(s, 0) - truth.get(s, 0)) for s in {*found, *truth})
    notable = [s for s in truth if truth[s] >= WORTH_SAYING * whole]
    return misplaced / whole, max(((found.get(s, 0) - truth[s]) / truth[s] for s in notable), key=abs)


def coverage(bench: Bench, inputs: list[str], truth_trace: Path, target: int) -> str:
    """How many laws of means hold the truth within their interval, of those that take a notable part of all time."""

    def report(*traces: str) -> dict[tuple[str, str, str], dict]:
        run = bench.run("extrapolate", *traces, "--ranks", str(target), "--report", "--json")
        laws = json.loads(run.stdout)["times"]["laws"] if run.stdout.startswith("{") else []
        return {(law["function"], law["place"], law["what"]): law for law in laws}

    measured = {}
    for key, law in report(*inputs, str(truth_trace)).items():
        at_target = [m["mean_ns"] for m in law["measured"] if m["at"][0] == target]
        if at_target and at_target[0] > 0:
            measured[key] = at_target[0]
    inside = total = 0
    for key, law in report(*inputs).items():
        mean = next(f for f in law["fields"] if f["field"] == "mean")
        if key in measured:
            total += 1
            inside += mean["low_ns"] <= measured[key] <= mean["high_ns"]
    return f"{inside} of {total}"


def row(bench: Bench, name: str, inputs: list[str], truth_trace: Path, alone: float | None, target: int) -> list[str] | None:
    truth, duration = bench.spent(truth_trace)
    alone = alone or duration / 1e6
    cells = [name, f"{1e3 * alone:.3f}"]
    for model in MODELS:
        made = bench.folder / f"{name}.{model}.reprise"
        words = ["extrapolate", *inputs, "--ranks", str(target), "--time-model", model, "--force", "-o", str(made)]
        run = bench.run(*words)
        if run.returncode:
            print(f"{name} is refused: {run.stderr.splitlines()[0]}", file=sys.stderr)
            return None
        found, found_duration = bench.spent(made)
        misplaced, worst = site_errors(found, truth)
        total = sum(found.values()) / sum(truth.values()) - 1
        replayed = bench.replay(made, target) / alone - 1
        errors = [found_duration / duration - 1, total, replayed]
        cells += [*(f"{100 * e:+.1f}" for e in errors), f"{100 * misplaced:.1f}", f"{100 * worst:+.0f}"]
    return [*cells, coverage(bench, inputs, truth_trace, target)]


def recorded_row(bench: Bench, name: str, rule: str, arguments: list[str], target: int, setting: str) -> list[str] | None:
    """Of a workload, recorded here."""
    env = {**SETTINGS, **EXTRA}[setting]
    inputs = [str(bench.record(name, arguments, n, env, setting)[0]) for n in INPUTS.get(rule, INPUTS["any"])]
    truth_trace, alone = bench.record(name, arguments, target, env, setting)
    return row(bench, name, inputs, truth_trace, alone, target)


def print_head(title: str) -> None:
    print(f"\n{title}\n")
    heads = ["run", "all time", "replay", "misplaced", "worst site"]
    columns = " | ".join(f"{m}: {h} [%]" for m in MODELS for h in heads)
    print(f"| workload | time [ms] | {columns} | within the interval |")
    print("|---|" + "---:|" * (2 + len(MODELS) * len(heads)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--to", type=int, default=256, help="number of ranks: a square and a power of two")
    parser.add_argument("--only", nargs="*", help="these workloads")
    parser.add_argument("--settings", nargs="*", choices=[*SETTINGS, *EXTRA], default=["even"])
    parser.add_argument("--keep", type=Path, help="a folder for traces, which are not recorded again")
    parser.add_argument("--traces", type=Path, help="a folder of recordings of applications, with times")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        bench = Bench(options.build.resolve(), options.keep or Path(scratch))
        if options.traces:
            print_head(f"{options.to} ranks")
            for name, traces in sorted(recordings([options.traces]).items()):
                inputs = input_runs(traces)
                if options.to not in traces or len(inputs) < 2 or (options.only and name not in options.only):
                    continue
                cells = row(bench, name, [str(traces[n]) for n in inputs], traces[options.to], None, options.to)
                if cells:
                    print("| " + " | ".join(cells) + " |", flush=True)
            return
        for setting in options.settings:
            print_head(f"{setting}, {options.to} ranks")
            for name, rule, arguments in workloads():
                if options.only and name not in options.only:
                    continue
                try:
                    cells = recorded_row(bench, name, rule, arguments, options.to, setting)
                except subprocess.TimeoutExpired:
                    print(f"{name} takes too long to simulate", file=sys.stderr)
                    continue
                if cells:
                    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
