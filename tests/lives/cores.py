#!/usr/bin/env python3
"""A trace tells how long ranks waited for cores, and who reads of its computation is told."""

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
    if not Path("/proc/self/schedstat").exists():
        print("this kernel does not count it")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        trace = str(Path(scratch) / "trace.reprise")
        command = launch.command(options.mpi, 2, [options.program])
        recorded = launch.run([options.reprise, "record", "-o", trace, "--", *command], options.waiting)
        checks.equal("it is recorded", recorded.returncode, 0)
        facts = json.loads(launch.run([options.reprise, "info", "--json", trace], None).stdout or "{}")
        # Whoever computes on a core keeps the other rank from it: a third of a second each.
        waited = facts.get("core_wait_ns", 0)
        checks.true("ranks waited as long as the other computed", waited > 0.5e9, str(facts))
        text = launch.run([options.reprise, "info", trace], None).stdout
        checks.true("info says so", "waited for one" in text, text)
        simulated = launch.run([options.reprise, "simulate", trace], None)
        checks.true("simulate warns", "waited for a core" in simulated.stderr, simulated.stderr)
        quiet = launch.run([options.reprise, "simulate", "--compute", "none", trace], None)
        checks.equal("but not without computation", quiet.stderr, "")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
