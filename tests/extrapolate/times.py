#!/usr/bin/env python3
"""Times of an extrapolated trace, held against a recording in simulated time.

    times.py --reprise build/bin/reprise --replay build/lib/reprise-replay-smpi -- PROGRAM ARGUMENT...

What all ranks spend, the run and its replay must be within a few percent of the truth; the commands that read times
must take the trace.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "smpi"))
from simulated import PATIENCE, launch, simulated, simulated_time  # noqa: E402

INPUTS = [4, 9, 16, 25]
TARGET = 49
# Simulated time repeats exactly; the bounds leave room for what another version of the simulator does.
WITHIN = 0.05
wrong = []


def note(name: str, right: bool, what: object = "") -> None:
    print(f"{name}: {'right' if right else 'wrong'} {what}")
    if not right:
        wrong.append(name)


def record(options: argparse.Namespace, folder: Path, ranks: int) -> str:
    trace = folder / f"{ranks}.reprise"
    scratch = folder / str(ranks)
    scratch.mkdir()
    command = simulated(scratch, ranks, options.program)
    run = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], None, PATIENCE)
    if run.returncode:
        raise SystemExit(run.stdout + run.stderr)
    return str(trace)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--replay", required=True)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    os.environ.update({"COMPUTE_SCALE": "100", "COMPUTE_NOISE": "0.05"})

    def run(*words: str) -> str:
        done = subprocess.run([options.reprise, *words], capture_output=True, text=True, check=False)
        note(f"reprise {words[0]}", done.returncode == 0, done.stderr)
        return done.stdout

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [record(options, folder, n) for n in INPUTS]
        recorded, made = record(options, folder, TARGET), str(folder / "made.reprise")
        run("extrapolate", *inputs, "--ranks", str(TARGET), "-o", made)
        check = json.loads(run("extrapolate", *inputs, recorded, "--check", "--json"))
        for name in ("error", "duration_error"):
            note(name, abs(check["times"][name]) < WITHIN, check["times"][name])
        totals = [json.loads(run("stats", "--times", "--json", t)) for t in (made, recorded)]
        spent = [t["compute_ns"] + t["communicate_ns"] for t in totals]
        note("all time", abs(spent[0] / spent[1] - 1) < WITHIN, spent)
        report = json.loads(run("extrapolate", *inputs, "--ranks", str(TARGET), "--report", "--json", "-o", str(folder / "again.reprise")))
        fields = [f for law in report["times"]["laws"] for f in law["fields"]]
        note("intervals", bool(fields) and all(f["low_ns"] <= f["value_ns"] <= f["high_ns"] for f in fields))
        note("seek", "MPI_" in run("seek", "--at", "100us", made))
        note("info", "extrapolated from" in run("info", made))
        run("extrapolate", *inputs, "--ranks", str(TARGET), "--time-model", "paper", "-o", str(folder / "paper.reprise"))
        run("extrapolate", *inputs, "--ranks", str(TARGET), "--time-model", "none", "-o", str(folder / "none.reprise"))

        os.environ.update({"COMPUTE_SCALE": "0", "COMPUTE_NOISE": "0"})
        times = []
        for words in ([options.replay, made], [options.replay, recorded]):
            replay = launch.run(simulated(folder, TARGET, words), None, PATIENCE)
            times.append(float(simulated_time(replay.stdout + replay.stderr)))
        note("replay", abs(times[0] / times[1] - 1) < WITHIN, times)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
