#!/usr/bin/env python3
"""`reprise doctor` in situations that are right, wrong and in between; what it says is what recording then does.

    doctor.py --reprise build/dev/bin/reprise --mpi openmpi --other mpich PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

# A mount namespace of its own needs root, and not every container allows it.
NO_SHARED_MEMORY = "umount /dev/shm 2>/dev/null; mount -t tmpfs -o ro tmpfs /dev/shm && exec \"$@\""
LITTLE_SHARED_MEMORY = "umount /dev/shm 2>/dev/null; mount -t tmpfs -o size=1m tmpfs /dev/shm && exec \"$@\""


class Doctor:
    def __init__(self, checks: Checks, reprise: str, folder: Path) -> None:
        self.checks, self.reprise, self.folder = checks, reprise, folder

    def finds(self, name: str, command: list[str], wanted: dict[str, str], prefix: list[str] | None = None) -> dict:
        """Compares states of checks by name; those that are not named are ok."""
        run = launch.run([*(prefix or []), self.reprise, "doctor", "--json", "--", *command], None)
        found = json.loads(run.stdout)
        states = {c["name"]: c["state"] for c in found["checks"] if c["state"] != "ok"}
        self.checks.equal(name, states, wanted)
        ready = "problem" not in wanted.values()
        self.checks.equal(f"{name}: ready, and the status", (found["ready"], run.returncode), (ready, 0 if ready else 1))
        return found

    def records(self, name: str, command: list[str], wanted: bool) -> None:
        trace = self.folder / f"{name}.reprise"
        launch.run([self.reprise, "record", "-o", str(trace), "--", *command], None)
        self.checks.equal(f"{name}: recorded", trace.exists(), wanted)


def can_unshare(script: str) -> bool:
    return subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", "true"], capture_output=True, check=False).returncode == 0


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--other", required=True, help="an MPI that the program is not linked with")
    parser.add_argument("program")
    options = parser.parse_args()
    checks = Checks()
    program = [options.program, "--steps", "3"]
    cores = len(os.sched_getaffinity(0))
    crowded = {"cores": "warning"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        doctor = Doctor(checks, options.reprise, folder)
        right = launch.command(options.mpi, 2, program)

        # One core makes two ranks crowded on any machine.
        found = doctor.finds("right", right, {} if cores >= 2 else crowded)
        checks.equal("right: MPI", found["mpi"], options.mpi)
        checks.equal("right: nodes", [(n["ranks"], n["cores"]) for n in found["nodes"]], [(2, cores)])
        checks.equal("right: lines", len(found["checks"]) + 1 <= 10, True)
        doctor.records("right", right, True)
        first = str(min(os.sched_getaffinity(0)))
        found = doctor.finds("too few cores", right, crowded, ["taskset", "--cpu-list", first])
        checks.equal("too few cores: nodes", [(n["ranks"], n["cores"]) for n in found["nodes"]], [(2, 1)])

        one = {} if cores >= 1 else crowded
        wrong = launch.command(options.other, 1, program)
        doctor.finds("launcher of another MPI", wrong, one | {"launcher": "problem"})

        dropping = folder / "launcher"
        dropping.write_text(f"#!/bin/sh\nexec env -u LD_PRELOAD {launch.LAUNCHERS[options.mpi]} \"$@\"\n", encoding="utf-8")
        dropping.chmod(0o755)
        dropped = [str(dropping), "-n", "1", *program]
        doctor.finds("environment dropped by the launcher", dropped, {"preloading": "problem"})
        doctor.records("dropped", dropped, False)

        source, static = folder / "static.c", folder / "static"
        source.write_text('#include <stdio.h>\nint main(void) { return puts("MPI_Init") < 0; }\n', encoding="utf-8")
        subprocess.run(["cc", "-static", "-o", str(static), str(source)], check=True)
        static_command = launch.command(options.mpi, 1, [str(static)])
        doctor.finds("static program", static_command, {"program": "problem"})
        doctor.records("static", static_command, False)

        doctor.finds("no such program", ["no-such-launcher", "-n", "2"], {"command": "problem"})
        script = {"program": "warning", "launcher": "warning", "recorder": "problem"}
        doctor.finds("a command that names no program", ["sh", "-c", "true"], script)

        for what, namespace in (("no /dev/shm", NO_SHARED_MEMORY), ("little /dev/shm", LITTLE_SHARED_MEMORY)):
            if not can_unshare(namespace):
                print(f"{what}: left out, as mounting is not allowed here")
                continue
            alone = launch.command(options.mpi, 1, program)
            doctor.finds(what, alone, {"/dev/shm": "warning"}, ["unshare", "--mount", "sh", "-c", namespace, "sh"])

        run = launch.run([options.reprise, "doctor"], None)
        checks.equal("no command", (run.returncode, run.stderr.startswith("reprise: there is no command")), (2, True))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
