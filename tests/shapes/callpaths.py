#!/usr/bin/env python3
"""A trace that keeps less of the call paths has the same program, and is never larger.

    callpaths.py --reprise R --mpi openmpi|mpich [--ranks N] [--waiting LIB] PROGRAM...
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

MODES = ("full", "site", "none")
STRUCTURE = ("calls", "call_nodes", "loops", "branches", "loop_nesting")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("programs", nargs="+", type=Path)
    options = parser.parse_args()
    checks = Checks()

    def ask(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([options.reprise, *map(str, words)], capture_output=True, text=True, check=False)

    with tempfile.TemporaryDirectory() as folder:
        for program in options.programs:
            traces = {mode: Path(folder, f"{program.name}.{mode}") for mode in MODES}
            for mode, trace in traces.items():
                record = [options.reprise, "record", "--callpaths", mode, "--time", "none", "-o", str(trace), "--"]
                run = launch.run(record + launch.command(options.mpi, options.ranks, [str(program)]), options.waiting)
                checks.equal(f"{program.name}, {mode}: status", (run.returncode, run.stderr), (0, ""))
            size = {mode: trace.stat().st_size for mode, trace in traces.items()}
            # A trace of callers has the option's name besides.
            is_ordered = size["none"] < size["site"] <= size["full"] + len("--callpaths site")
            checks.true(f"{program.name}: less is not larger", is_ordered and size["none"] <= size["full"], str(size))
            bare = json.loads(ask("info", "--json", traces["none"]).stdout)
            full = json.loads(ask("info", "--json", traces["full"]).stdout)
            checks.equal(f"{program.name}: call paths", (full["call_paths"], bare["call_paths"]), (True, False))
            differing = [what for what in STRUCTURE if full[what] != bare[what]]
            # Copies of a call that a compiler made are known to be one by their lines.
            united = full["call_nodes"] < bare["call_nodes"]
            checks.true(f"{program.name}: structure", not differing or united, str(differing))
            compared = ask("diff", "--ignore", "callpaths", traces["full"], traces["none"])
            checks.equal(f"{program.name}: the same calls", (compared.returncode, compared.stderr), (0, ""))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
