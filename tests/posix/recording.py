#!/usr/bin/env python3
"""What --posix-io records of a program, what it leaves out, and what it counts as lost."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

RANKS = 2
CALLS = {"open": 1, "write": 2, "lseek": 1, "read": 1, "pread": 1, "pwrite": 1, "close": 3, "creat": 1, "openat": 1}
LOST = {
    "POSIX calls on files that were not opened by a recorded call": 3,  # a write and two closes of the early one
    "POSIX calls of threads that call no MPI": 3,
    "calls that returned an error": 1,
}


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--folder", required=True, type=Path)
    options = parser.parse_args()
    checks = Checks()

    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "trace.reprise"

        def record(how: list[str], *program: str) -> subprocess.CompletedProcess[str]:
            command = launch.command(options.mpi, RANKS, [str(options.folder / program[0]), *program[1:]])
            return launch.run([options.reprise, "record", "--force", "-o", str(trace), *how, "--", *command], options.waiting)

        def reprise(*words: str) -> str:
            return subprocess.run([options.reprise, *words], capture_output=True, text=True, check=True).stdout

        def functions() -> dict[str, int]:
            rows = [line.split() for rank in range(RANKS) for line in reprise("show", "--flat", "--rank", str(rank), str(trace)).splitlines()]
            names = [row[0] for row in rows if not row[0].startswith("MPI_")]
            return {name: names.count(name) for name in names}

        run = record(["--posix-io"], "posix_others", scratch)
        checks.equal("status", (run.returncode, run.stdout, run.stderr), (0, "", ""))
        checks.equal("calls", functions(), CALLS)
        info = json.loads(reprise("info", "--json", str(trace)))
        lost = info["lost"]
        lost_here = {what: lost.get(what, 0) for what in LOST}
        checks.equal("losses", lost_here, LOST)

        record([], "posix_others", scratch)
        checks.equal("without the option", functions(), {})

        run = record(["--posix-io"], "posix_units", scratch)
        checks.equal("Fortran: status", (run.returncode, run.stderr), (0, ""))
        found = functions()
        checks.equal("Fortran: files", (found.get("open"), found.get("close")), (6 * RANKS, 6 * RANKS))
        moved = [line for line in reprise("show", "--flat", "--rank", "0", str(trace)).splitlines() if line.startswith(("read ", "write "))]
        bytes_moved = [sum(int(w[6:]) for line in moved if line.startswith(kind) for w in line.split() if w.startswith("moved=")) for kind in ("read ", "write ")]
        shown = reprise("show", str(trace))
        names = [f"/{name}" for name in ("unit0", "first0", "second0", "step1of0", "step2of0")]
        checks.true("Fortran: names of files are texts", all(f'{name}"' in shown for name in names), shown)
        checks.equal("Fortran: no name of a file is numbers", re.findall(r"\{\d\d[^}]*\}", shown), [])
        checks.equal("Fortran: bytes", [b >= 4000 for b in bytes_moved], [True, True])
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
