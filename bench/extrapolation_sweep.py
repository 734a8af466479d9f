#!/usr/bin/env python3
"""How many extrapolations are exact, refused or wrong: the regular workloads under SMPI, from many sets of inputs.

    extrapolation_sweep.py --build build/dev [--only NAME...] [--case "NAME INPUTS TARGET"...] [--keep FOLDER] [--json FILE]

Every result is held against a recording on as many ranks, call for call. Prints a line for each case and a table of
counts. The exit status is 1 if a result was written that differs: what is refused may be, what is wrong must not.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "smpi")]
from simulated import PATIENCE, launch, simulated  # noqa: E402

# Inputs and targets, by what a program runs on: squares, oblongs, cubes, powers of two, multiples, odd ones and primes.
SETS = {
    "any": [
        ("4,6,9", 16), ("4,6,9,12", 16), ("4,6,9,16", 25), ("4,6,9,16", 15), ("4,6,9,16", 24), ("4,8,16,32", 64),
        ("4,9,16", 36), ("9,16,36", 64), ("9,16,36", 49), ("2,4,8", 16), ("8,16,64", 32), ("8,16,64", 128),
        ("4,9,16,25", 36), ("6,8,12,20", 15), ("6,8,12,20", 24), ("6,8,12,20", 30), ("6,12,20", 15), ("6,12,20", 30),
        ("8,12,18,27", 36), ("8,12,18,27", 24), ("8,27,64", 125), ("27,36,48,64", 100), ("3,5,7,11", 13),
        ("5,7,8,9,11", 12), ("10,15,20,24", 35), ("16,25,36,49", 64), ("16,24,36", 40), ("12,16,20,24", 23),
        ("4,6,8,9,12", 18), ("4,5,6,7,8", 10), ("4,8,12,16", 20), ("8,12,16,20,24", 48), ("9,12,16,20", 42),
    ],
    "square": [
        ("4,9,16", 25), ("4,9,16", 36), ("4,9,16,25", 36), ("9,16,36", 49), ("4,16,36", 64), ("9,25,49", 64),
        ("4,16,64", 36), ("4,9,25", 49), ("16,25,36", 81),
    ],
    "pow2": [
        ("2,4,8", 16), ("4,8,16", 32), ("4,8,16,32", 64), ("4,8,16,32", 128), ("2,4,8,16,32", 64), ("8,16,64", 32),
        ("8,16,64", 128), ("4,16,64", 32), ("16,32,64", 128), ("8,16,32,64", 128), ("2,8,32", 64),
    ],
}  # fmt: skip
# What depends on data or timing is not expected to follow laws.
IRREGULAR = {"alltoallv", "irregular", "amr", "master_worker", "poller", "checkpoint"}


def workloads() -> dict[str, tuple[str, list[str]]]:
    """The programs that SMPI can run: their rule of ranks, and their arguments."""
    out = {}
    for line in (ROOT / "examples" / "workloads.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, _, _, rule, smpi, *arguments = line.split()
            if smpi == "yes":
                out[name] = (rule, [] if arguments == ["-"] else arguments)
    return out


class Sweep:
    def __init__(self, build: Path, programs: Path, folder: Path) -> None:
        self.reprise = str(build / "bin" / "reprise")
        self.programs, self.folder = programs, folder
        self.workloads = workloads()

    def record(self, name: str, ranks: int) -> Path:
        trace = self.folder / f"{name}.{ranks}.reprise"
        if not trace.exists():
            with tempfile.TemporaryDirectory() as scratch:
                program = [str(self.programs / name), *self.workloads[name][1]]
                command = simulated(Path(scratch), ranks, [a.replace("{tmp}", scratch) for a in program])
                made = Path(scratch) / "trace.reprise"
                words = [self.reprise, "record", "--time", "none", "-o", str(made), "--", *command]
                run = launch.run(words, None, PATIENCE)
                if run.returncode or not made.exists():
                    raise SystemExit(f"{name} on {ranks} ranks: {run.stdout}{run.stderr}")
                trace.write_bytes(made.read_bytes())
        return trace

    def judge(self, name: str, inputs: str, target: int) -> tuple[str, float, str]:
        """exact, refused, wrong or failed; the time of the extrapolation [s]; and what was said."""
        traces = [str(self.record(name, int(n))) for n in inputs.split(",")]
        with tempfile.TemporaryDirectory() as scratch:
            made = Path(scratch) / "made.reprise"
            begin = time.monotonic()
            words = [self.reprise, "extrapolate", *traces, "--ranks", str(target), "-o", str(made)]
            run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
            taken = time.monotonic() - begin
            if run.returncode:
                is_refused = run.returncode == 1 and "no trace was made" in run.stderr and not made.exists()
                return "refused" if is_refused else "failed", taken, run.stderr
            recorded = self.record(name, target)
            words = [self.reprise, "diff", "--ignore", "times,polls", str(made), str(recorded)]
            difference = subprocess.run(words, capture_output=True, text=True, check=False)
            return "wrong" if difference.returncode else "exact", taken, difference.stdout


def first_reason(said: str) -> str:
    lines = [line.strip() for line in said.splitlines()[1:] if line.strip()]
    return re.sub(r"\s+", " ", lines[0])[:200] if lines else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--programs", type=Path, help="the workloads built for SMPI, if not those of the build")
    parser.add_argument("--only", nargs="*", help="these workloads")
    parser.add_argument("--case", nargs="*", default=[], help='instead of the sets: "NAME INPUTS TARGET", INPUTS with commas')
    parser.add_argument("--keep", type=Path, help="a folder for recordings, which are not made again")
    parser.add_argument("--json", type=Path, help="a file for all results")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        build = options.build.resolve()
        sweep = Sweep(build, options.programs or build / "workloads" / "smpi", folder)
        cases = [(name, inputs, int(target)) for name, inputs, target in (c.split() for c in options.case)]
        for name, (rule, _) in sweep.workloads.items():
            if not options.case and name not in IRREGULAR and (not options.only or name in options.only):
                cases += [(name, inputs, target) for inputs, target in SETS[rule]]
        for name, inputs, target in cases:
            verdict, taken, said = sweep.judge(name, inputs, target)
            reason = "" if verdict == "exact" else first_reason(said)
            print(f"{verdict:8}{taken:6.1f} s  {name} {inputs} -> {target}  {reason}", flush=True)
            results.append({"name": name, "inputs": inputs, "target": target, "verdict": verdict, "s": taken, "said": said})
    counts = defaultdict(Counter)
    for r in results:
        counts[r["name"]][r["verdict"]] += 1
    print("\n| workload | exact | refused | wrong | longest [s] |\n|---|---:|---:|---:|---:|")
    for name, count in counts.items():
        longest = max(r["s"] for r in results if r["name"] == name)
        print(f"| {name} | {count['exact']} | {count['refused']} | {count['wrong'] + count['failed']} | {longest:.1f} |")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return 1 if any(r["verdict"] in ("wrong", "failed") for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
