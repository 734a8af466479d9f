#!/usr/bin/env python3
"""Times are recorded with each clock, and the program ends as it does without the recorder."""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("program")
    options = parser.parse_args()
    checks = Checks()
    command = launch.command(options.mpi, 4, [options.program, "--steps", "20", "--cells", "8x8"])
    alone = launch.run(command, options.waiting)
    checks.equal("it runs alone", alone.returncode, 0)
    for clock in ("tsc", "monotonic", "wtime"):
        with tempfile.TemporaryDirectory() as scratch:
            trace = str(Path(scratch) / "trace.reprise")
            record = [options.reprise, "record", "--clock", clock, "-o", trace, "--"]
            recorded = launch.run([*record, *command], options.waiting)
            checks.equal(f"{clock}: the same status", recorded.returncode, alone.returncode)
            checks.equal(f"{clock}: the same output", recorded.stdout + recorded.stderr, alone.stdout + alone.stderr)
            info = launch.run([options.reprise, "info", "--json", trace], None)
            facts = json.loads(info.stdout or "{}")
            # A processor whose counter has no constant rate has the system's clock instead.
            names = {clock, "monotonic"} if clock == "tsc" else {clock}
            checks.true(f"{clock}: the trace names it", facts.get("clock") in names, info.stdout)
            duration = 1000 * facts.get("duration_us", 0)  # [ns]
            checks.true(f"{clock}: the run took time", duration > 0, info.stdout)
            # The kernel counts in steps of its own.
            waited = facts.get("core_wait_ns", 0)
            checks.true(f"{clock}: no rank waited longer for a core", waited <= 1.1 * 4 * duration, info.stdout)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
