#!/usr/bin/env python3
"""Computation that SMPI measures: the trace says how long it was, and what the recorder takes is no part of it."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent))
from check import Checks  # noqa: E402
from simulated import launch, simulated, simulated_time  # noqa: E402

SOURCE = Path(__file__).with_name("measured.c")
RANKS = 4
STEPS, DURATION = 5, 10  # [ms] of rank 0, twice as much on rank 1, and so on
TOLERANCE = 0.1  # of processor time that is itself measured by the program
WAITS = 20  # each for 400 requests


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reprise", required=True)
    reprise = parser.parse_args().reprise
    checks = Checks()
    flags = subprocess.run([reprise, "link-flags", "--mpi", "smpi"], capture_output=True, text=True, check=True).stdout.split()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        program, trace = folder / "measured", folder / "trace.reprise"
        subprocess.run(["smpicc", "-O1", "-g", "-w", str(SOURCE), "-o", str(program), *flags], check=True)

        def run(waits: int, threshold: float, record: list[str]) -> float:
            """The simulated time [s]; each second of computation takes one, and less than the threshold none."""
            settings = ["smpi/simulate-computation:yes", "smpi/host-speed:1Gf", f"smpi/cpu-threshold:{threshold}"]
            arguments = [str(STEPS), str(DURATION), str(waits)]
            command = simulated(folder, RANKS, [*(f"--cfg={s}" for s in settings), str(program), *arguments])
            done = launch.run([*record, *command], None)
            if done.returncode:
                raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
            return float(simulated_time(done.stdout + done.stderr))

        recording = [reprise, "record", "--force", "-o", str(trace), "--"]
        run(0, 1e-4, recording)
        times = json.loads(subprocess.run([reprise, "stats", "--times", "--json", str(trace)], capture_output=True, text=True, check=True).stdout)
        per_rank = 1e-9 * times["compute_ns"] / RANKS
        wanted = STEPS * DURATION * 1e-3 * (RANKS + 1) / 2
        checks.true("computation", abs(per_rank / wanted - 1) < TOLERANCE, f"{per_rank:.6f} s a rank, {wanted:.6f} s computed")

        # The recorder writes lines of text for 400 requests at a time, which takes it some milliseconds.
        logging = [*recording[:-1], "--flat", str(folder / "flat"), "--"]
        alone, recorded = run(WAITS, 1e-4, []), run(WAITS, 1e-4, logging)
        checks.true("the recorder's own time", recorded < 1.15 * alone, f"{recorded} s instead of {alone} s")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
