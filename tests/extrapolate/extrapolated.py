#!/usr/bin/env python3
"""Extrapolates a program, under SMPI or in real processes, and holds the result against a recording on as many ranks.

    extrapolated.py --reprise build/bin/reprise --from 4,9,16 --to 36 -- PROGRAM ARGUMENT...
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "smpi"))
from simulated import PATIENCE, launch, simulated  # noqa: E402


def record(reprise: str, folder: Path, ranks: int, program: list[str], mpi: str | None = None, waiting: Path | None = None) -> Path:
    """Records `program` without times: in real processes of `mpi`, or under SMPI where none is named."""
    trace = folder / f"{ranks}.reprise"
    command = launch.command(mpi, ranks, program) if mpi else simulated(folder, ranks, program)
    words = [reprise, "record", "--time", "none", "-o", str(trace), "--", *command]
    run = launch.run(words, waiting, PATIENCE)
    if run.returncode or not trace.exists():
        print(run.stdout, run.stderr, file=sys.stderr)
        raise SystemExit(f"{program[0]} on {ranks} ranks ended with status {run.returncode}")
    info = subprocess.run([reprise, "info", "--json", str(trace)], capture_output=True, text=True, check=True)
    if json.loads(info.stdout)["cut_short"]:  # SMPI ends a deadlock with status 0
        raise SystemExit(f"{program[0]} on {ranks} ranks did not reach MPI_Finalize")
    return trace


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--from", dest="inputs", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--to", required=True, type=int)
    parser.add_argument("--mpi", choices=launch.LAUNCHERS, help="instead of SMPI")
    parser.add_argument("--waiting", type=Path, help="library that makes waiting cheap")
    parser.add_argument("--outcome", nargs="+", choices=["exact", "refused", "unconfirmed"], default=["exact"],
                        help="what may come out; unconfirmed: wrong, where the command says that no trace confirms the laws")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        how = options.program, options.mpi, options.waiting
        inputs = [str(record(options.reprise, folder, int(n), *how)) for n in options.inputs.split(",")]
        result = folder / "extrapolated.reprise"
        command = [options.reprise, "extrapolate", *inputs, "--ranks", str(options.to), "-o", str(result)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            print(run.stdout, run.stderr, file=sys.stderr)
            is_refused = run.returncode == 1 and "no trace was made" in run.stderr and not result.exists()
            return 0 if is_refused and "refused" in options.outcome else 1
        recorded = record(options.reprise, folder, options.to, *how)
        compare = [options.reprise, "diff", "--ignore", "times,polls", str(result), str(recorded)]
        difference = subprocess.run(compare, capture_output=True, text=True, check=False)
        print(difference.stdout, difference.stderr)
        is_confirmed = "no trace confirms the laws there" not in run.stderr
        outcome = "exact" if not difference.returncode else "wrong" if is_confirmed else "unconfirmed"
        return 0 if outcome in options.outcome else 1


if __name__ == "__main__":
    sys.exit(main())
