#!/usr/bin/env python3
"""A signal that comes while a thread has the lock of the allocator: the process gives up saving and ends by that signal, or by MPI_Abort; what the last checkpoint has is kept."""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402
from walk import walk  # noqa: E402


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("program")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        # By the thread that takes checkpoints, and in the handler itself. Both only wait.
        runs = {}
        for name in ("auto", "none", "aborts"):
            trace = str(Path(scratch) / f"{name}.reprise")
            program = [options.program, *(["aborts"] if name == "aborts" else [])]
            checkpoints = "none" if name == "none" else "auto"
            words = [options.reprise, "record", "-o", trace, "--checkpoints", checkpoints, "--", *launch.command(options.mpi, 1, program)]
            runs[name] = subprocess.Popen(
                words, env=launch.environment(options.waiting), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        for name, run in runs.items():
            said = run.communicate(timeout=100)[1]
            # A launcher may kill a rank that has called MPI_Abort.
            number = (11, 9) if name == "aborts" else (15,)
            checks.true(f"{name}: status", run.returncode % 128 in number, f"{run.returncode}\n{said}")
            lost = f" since its last checkpoint, which is in {Path(scratch) / name}.reprise.part-0," if name != "none" else ""
            checks.true(f"{name}: said", f"reprise: the calls of rank 0{lost} are lost (saving takes too long)" in said, said)
            trace = Path(scratch) / f"{name}.reprise"
            checks.equal(f"{name}: a trace", trace.exists(), name != "none")
            if trace.exists():
                barriers = sum(line.startswith("MPI_Barrier") for line in walk(options.reprise, trace, 0))
                checks.true(f"{name}: calls", barriers >= 10, str(barriers))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
