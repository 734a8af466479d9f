#!/usr/bin/env python3
"""A command with several MPI jobs leaves a trace of each: those that a script starts, and those that a job spawns.

    jobs.py --reprise build/bin/reprise --mpi mpich PROGRAM SPAWNING_PROGRAM
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402


def check(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(what)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--mpi", required=True, choices=launch.LAUNCHERS)
    parser.add_argument("--waiting", type=Path)
    parser.add_argument("program")
    parser.add_argument("spawning")
    options = parser.parse_args()

    def shown(trace: Path) -> list[str]:
        return subprocess.run([options.reprise, "show", "--flat", "--rank", "0", str(trace)], capture_output=True, text=True, check=True).stdout.splitlines()

    def record(output: Path, command: list[str], *more: str) -> subprocess.CompletedProcess[str]:
        return launch.run([options.reprise, "record", "--mpi", options.mpi, *more, "-o", str(output), "--", *command], options.waiting)

    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "two.reprise"
        one = shlex.join(launch.command(options.mpi, 3, [options.program]))
        two = shlex.join(launch.command(options.mpi, 2, [options.spawning]))
        script = ["sh", "-c", f"{one} && {one}"]
        done = record(output, script)
        check(done.returncode == 0, done.stderr)
        second = Path(f"{output}.job-2")
        check(output.exists() and second.exists(), "there must be a trace of each job")
        check(str(second) in done.stderr, f"it must say so, but says {done.stderr}")
        check(shown(output) == shown(second) != [], "equal jobs must have equal traces")
        left = sorted(p.name for p in Path(scratch).iterdir())
        check(left == ["two.reprise", "two.reprise.job-2"], f"nothing else may be left, but there is {left}")
        output.unlink()
        check(record(output, script).returncode != 0 and second.exists(), "existing files may not be overwritten")
        check(record(output, script, "--force").returncode == 0, "--force must overwrite")

        if launch.run(["sh", "-c", two], options.waiting).returncode != 0:
            print("this MPI cannot spawn here")
            return 0
        output = Path(scratch) / "spawn.reprise"
        done = record(output, ["sh", "-c", two])
        check(done.returncode == 0, done.stderr)
        spawned = Path(f"{output}.spawned-1")
        check(spawned.exists(), f"the spawned job must have a trace\n{done.stderr}")
        check(any(line.startswith("MPI_Comm_spawn") for line in shown(output)), "the parents' trace must be theirs")
        asked = [word for line in shown(spawned) for word in line.split() if word.startswith("parent=")]
        check(len(asked) == 2 and asked[0] == asked[1] == "parent=2", f"the parent is one communicator, but {asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
