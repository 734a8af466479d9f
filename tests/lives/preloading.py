#!/usr/bin/env python3
"""Commands that set LD_PRELOAD themselves, and programs under the launcher of another MPI.

The recorder stays where the command shows the variable; elsewhere the command is told of before it runs.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    launch.add_options(parser)
    parser.add_argument("--programs", type=Path, required=True, help="where what is recorded was built")
    options = parser.parse_args()
    checks = Checks()
    plain, tool = str(options.programs / "surroundings"), str(options.programs / "tool.so")
    exchange = [plain, "enquire"]
    both = f"{options.waiting}:{tool}" if options.waiting else tool
    launcher = launch.LAUNCHERS[options.mpi]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)

        def record(name: str, command: list[str], *words: str) -> subprocess.CompletedProcess[str]:
            """The trace is of that name."""
            return launch.run([options.reprise, "record", *words, "-o", str(folder / name), "--", *command], options.waiting)

        def sends(name: str) -> int:
            shown = launch.run([options.reprise, "show", "--flat", str(folder / name)], None).stdout
            return sum(line.startswith("MPI_Send ") for line in shown.splitlines())

        def kept(name: str, command: list[str]) -> None:
            done = record(name, command)
            checks.equal(f"{name}: the tool stays, and nothing is said", (done.stdout, done.stderr), ("tool: 1 sent\n", ""))
            checks.equal(f"{name}: what it sends is recorded", sends(name), 1)

        kept("env", ["env", f"LD_PRELOAD={both}", launcher, "-n", "2", *exchange])
        kept("inner", [launcher, "-n", "2", "env", f"LD_PRELOAD={both}", *exchange])
        if options.mpi == "openmpi":
            kept("option", [launcher, "-x", f"LD_PRELOAD={both}", "-n", "2", *exchange])
        else:
            for option in ("-env", "-genv"):
                kept(option, [launcher, option, "LD_PRELOAD", both, "-n", "2", *exchange])

        script = folder / "run.sh"
        script.write_text(f'#!/bin/sh\nexport LD_PRELOAD={both}\nexec "$@"\n')
        script.chmod(0o755)
        done = record("script", [launcher, "-n", "2", str(script), *exchange])
        checks.true(
            "a script that replaces it is named before and after",
            done.returncode == 1
            and done.stderr.startswith(f"reprise: {script} sets LD_PRELOAD")
            and f"most likely since {script} sets LD_PRELOAD" in done.stderr,
            done.stderr,
        )
        script.write_text(f'#!/bin/sh\nexport LD_PRELOAD={both}:$LD_PRELOAD\nexec "$@"\n')
        kept("adding", [launcher, "-n", "2", str(script), *exchange])

        other = next(m for m in launch.LAUNCHERS if m != options.mpi)
        done = record("other", [launch.LAUNCHERS[other], "-n", "2", *exchange])
        wanted = f"{plain} is linked with {NAMES[options.mpi]}, and {launch.LAUNCHERS[other]} is the launcher of {NAMES[other]}"
        checks.true("the launcher of another MPI is named", wanted in done.stderr, done.stderr)

        record("plain", launch.command(options.mpi, 2, exchange))
        trace = str(folder / "plain")
        done = record("replay", [options.reprise, "replay", "--mpi", options.mpi, trace])
        checks.equal("a replay is recorded", (done.returncode, done.stderr), (0, ""))
        same = launch.run([options.reprise, "diff", "--ignore", "callpaths,polls", trace, str(folder / "replay")], None)
        checks.equal("and says the same", (same.returncode, same.stdout), (0, ""))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
