#!/usr/bin/env python3
"""A recorded program's floating-point flags, traps and rounding are what they are without the recorder."""

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
    for what in ("flags", "traps"):
        with tempfile.TemporaryDirectory() as scratch:
            command = launch.command(options.mpi, 4, [options.program, what])
            alone = launch.run(command, options.waiting)
            record = [options.reprise, "record", "-o", str(Path(scratch) / "trace"), "--", *command]
            recorded = launch.run(record, options.waiting)
            checks.true(f"{what}: it runs alone", alone.returncode == 0, alone.stdout + alone.stderr)
            checks.equal(f"{what}: the same status", recorded.returncode, alone.returncode)
            checks.equal(f"{what}: the same output", recorded.stdout + recorded.stderr, alone.stdout + alone.stderr)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
