#!/usr/bin/env python3
"""Commands that set LD_PRELOAD themselves, and programs under the launcher of another MPI.

The recorder stays where the command shows the variable; elsewhere the command is told of before it runs.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}


# In place of ssh: another node, to which no variables come but those that the launcher sends.
OTHER_NODE = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
shift
exec env -i PATH="$PATH" sh -c "$*"
"""


def check_nodes(checks: Checks, folder: Path, launcher: list[str], program: list[str], record: Callable, sends: Callable) -> None:
    """What MPICH's launcher passes to its own node, and to others."""
    shell = folder / "shell"
    shell.write_text(OTHER_NODE)
    shell.chmod(0o755)
    elsewhere = ["-launcher", "ssh", "-launcher-exec", str(shell), "-hosts", "node7"]
    names = "LD_PRELOAD,REPRISE_OUTPUT,REPRISE_CLAIMS"
    limited = [["-genvnone"], ["-envnone"], ["-genvlist", "HOME"], ["-genvlist", "LD_PRELOAD"]]
    for options in [*limited, ["-genvlist", names]]:
        given = " ".join(options)
        said = f"reprise: parts of the command may not be recorded ({given} does not pass LD_PRELOAD " if options in limited else ""
        here = record(f"here{given}", [*launcher, *options, *program])
        checks.equal(f"{given}: recorded on this node", (here.returncode, sends(f"here{given}")), (0, 1))
        checks.true(f"{given}: and it is said of others", here.stderr.startswith(said) and bool(said) == bool(here.stderr), here.stderr)
        there = record(f"there{given}", [*launcher, *elsewhere, *options, *program])
        checks.equal(f"{given}: recorded on another node", (folder / f"there{given}").exists(), not said)
        checks.equal(f"{given}: as the status says", there.returncode, 1 if said else 0)


def main() -> int:
    parser = launch.options_parser(__doc__)
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
            and done.stderr.startswith(f"reprise: parts of the command may not be recorded ({script} sets LD_PRELOAD")
            and f"most likely because {script} sets LD_PRELOAD" in done.stderr,
            done.stderr,
        )
        script.write_text(f'#!/bin/sh\nexport LD_PRELOAD={both}:$LD_PRELOAD\nexec "$@"\n')
        kept("adding", [launcher, "-n", "2", str(script), *exchange])

        if options.mpi == "mpich":
            check_nodes(checks, folder, [launcher, "-n", "2"], exchange, record, sends)

        other = next(m for m in launch.LAUNCHERS if m != options.mpi)
        done = record("other", [launch.LAUNCHERS[other], "-n", "2", *exchange])
        wanted = f"{plain} is linked with {NAMES[options.mpi]}, and {launch.LAUNCHERS[other]} is the launcher of {NAMES[other]}"
        checks.true("the launcher of another MPI is named", wanted in done.stderr, done.stderr)

        record("plain", launch.command(options.mpi, 2, exchange))
        trace = str(folder / "plain")
        done = record("replay", [options.reprise, "replay", "--mpi", options.mpi, trace])
        checks.equal("a replay is recorded", (done.returncode, done.stderr), (0, ""))
        same = launch.run([options.reprise, "diff", "--ignore", "callpaths,polls", trace, str(folder / "replay")], None)
        checks.equal("and says the same", same.returncode, 0)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
