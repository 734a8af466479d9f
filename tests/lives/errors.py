#!/usr/bin/env python3
"""What users and files do wrong: said as *problem (why) suggestion*, with status 1 or 2, and nothing is lost."""

import argparse
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

FORM = re.compile(r"reprise: .+ \(.+\); .+", re.DOTALL)
NOBODY = 65534
SLOTS = 16 * 4096  # how long the pages at the beginning of a part are
READERS = {"show": [], "info": [], "stats": [], "diff": ["again"]}
STATIC = '#include <stdio.h>\nint MPI_Init(int *c, char ***v) { return 0; }\nint main(void) { puts("MPI_Init"); return MPI_Init(0, 0); }'


class Errors(Checks):
    def __init__(self, reprise: str, folder: Path) -> None:
        super().__init__()
        self.reprise, self.folder = reprise, folder

    def fails(self, name: str, words: list[str | Path], why: str, **how: object) -> None:
        """The command fails, with a message in the form of the house that says why."""
        run = subprocess.run(
            [self.reprise, *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=60, check=False, **how
        )
        good = run.returncode in (1, 2) and FORM.fullmatch(run.stderr.strip()) and why in run.stderr and not run.stdout
        self.true(name, bool(good), f"status {run.returncode}\n{run.stdout}{run.stderr}")


def check_commands(errors: Errors, ready: str) -> None:
    """What is said before anything runs: the command would leave a file."""
    folder = errors.folder
    ran = folder / "ran"
    command = ["--mpi", ready, "--", "touch", str(ran)]
    errors.fails("no command", ["record"], "no command")
    errors.fails("command not found", ["record", "--", "no-such-launcher", "-n", "2", "./app"], "no-such-launcher")
    errors.fails("program not found", ["record", "--", "./no-such-program"], "./no-such-program")
    errors.fails("unknown MPI", ["record", "--", "touch", str(ran)], "cannot tell which MPI")
    empty = folder / "empty"
    empty.mkdir()
    errors.fails("no --", ["record", "-n", "2", "./app"], "put -- before the command")
    errors.fails("options of the command", ["record", "./no-such-program", "-h"], "./no-such-program")
    errors.fails("no recorder", ["record", *command], "no recorder", env={**os.environ, "REPRISE_LIBDIR": str(empty)})
    errors.fails("no such folder", ["record", "-o", "nowhere/a.reprise", *command], "nowhere/a.reprise")
    errors.fails("output is a folder", ["record", "-o", str(empty), *command], "folder")
    errors.fails("folder not writable", ["record", "-o", "/proc/a.reprise", *command], "/proc/a.reprise")
    (folder / "is.reprise").write_text("mine")
    errors.fails("output exists", ["record", "-o", "is.reprise", *command], "exists")
    errors.fails("merge: output exists", ["merge", "-o", "is.reprise", "x"], "exists")
    (folder / "was.reprise.part-2").write_text("mine")
    errors.fails("parts exist", ["record", "-o", "was.reprise", *command], "part-*")
    (folder / "each.3").write_text("mine")
    errors.fails("a rank's trace exists", ["record", "--merge", "none", "-o", "each", *command], "each.3 exists")
    errors.fails("log folder is a file", ["record", "--flat", "each.3", *command], "each.3")
    (folder / "log").mkdir()
    (folder / "log" / "rank-0-thread-0.log").write_text("mine")
    errors.fails("log exists", ["record", "--flat", "log", *command], "log")
    errors.true("nothing has run", not ran.exists(), "the command ran")
    errors.fails("no MPI call", ["record", "-o", "none", *command], "no MPI call was recorded")
    errors.true("that has run", ran.exists(), "the command did not run")
    errors.fails("no MPI call, --force", ["record", "--force", "-o", "is.reprise", *command], "no MPI call was recorded")
    for word, why in (("./no-such-program", "does not exist"), ("./is.reprise", "is not executable")):
        started = subprocess.run(
            [errors.reprise, "record", "-o", "none", "--", *launch.command(ready, 2, [word])],
            capture_output=True, text=True, cwd=folder, timeout=60, check=False,
        )  # fmt: skip
        lines = [line for line in started.stderr.splitlines() if line.startswith("reprise: ")]
        said = [f"may have no program to run ({word} {why})", f"no MPI call was recorded (most likely because {word} {why})"]
        is_said = len(lines) == 2 and all(words in line for words, line in zip(said, lines, strict=True))
        errors.true(f"what the launcher starts {why}", started.returncode != 0 and is_said, started.stderr)
    kept = [folder / "is.reprise", folder / "was.reprise.part-2", folder / "each.3", folder / "log" / "rank-0-thread-0.log"]
    errors.equal("all is as it was", [path.read_text() for path in kept], ["mine"] * len(kept))


def check_other_mpi(errors: Errors, mpi: str, program: str) -> None:
    other = "mpich" if mpi == "openmpi" else "openmpi"
    errors.fails("another MPI", ["record", "--mpi", other, "--", program], f"linked with {mpi}")


def check_static(errors: Errors, ready: str) -> None:
    source, program = errors.folder / "static.c", errors.folder / "static"
    source.write_text(STATIC)
    subprocess.run(["cc", "-static", "-o", str(program), str(source)], check=True)
    errors.fails("static program", ["record", "--mpi", ready, "--", "env", str(program)], "linked statically")


def check_reading(errors: Errors, good: Path) -> None:
    folder, data = errors.folder, good.read_bytes()
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    bad = {
        "empty": (b"", "not a trace"),
        "other": (b"not what it seems", "not a trace"),
        "magic": (data[:7], "header"),
        "later": (data[:7] + bytes([data[7] + 9]) + data[8:], "use a newer reprise"),
        "former": (data[:7] + b"\1" + data[8:], "has version 1 of the format"),
        "cut": (data[:-5], "cut short"),
        "flipped": (bytes(flipped), "damaged"),
    }
    files = {"folder": (folder / "empty", "Is a directory"), "missing": (folder / "missing", "No such file")}
    for name, (content, why) in bad.items():
        path = folder / f"{name}.reprise"
        path.write_bytes(content)
        files[name] = (path, why)
    for reader, more in READERS.items():
        for name, (path, why) in files.items():
            errors.fails(f"{reader}: {name}", [reader, path, *[good for _ in more]], why)
    errors.fails("diff: second file", ["diff", good, files["cut"][0]], "cut short")
    errors.fails("merge: a trace", ["merge", "-o", "merged", good], "the trace of a whole run already")
    errors.fails("merge: nothing there", ["merge", "-o", "merged", folder / "missing"], "cannot be opened")
    check_permission(errors, good)


def check_terminal(errors: Errors, good: Path) -> None:
    """What was written is said on a terminal, and nowhere else."""
    command = [errors.reprise, "generate", "--force", "--single-file", str(good), "-o", "benchmark.c"]
    ours, theirs = pty.openpty()
    subprocess.run(command, cwd=errors.folder, stderr=theirs, timeout=60, check=True)
    os.close(theirs)
    said = os.read(ours, 1000).decode()
    os.close(ours)
    errors.true("terminal: what was written", re.fullmatch(r"reprise: wrote benchmark\.c \([\d.]+ kB\)\s*", said) is not None, said)
    silent = subprocess.run(command, cwd=errors.folder, capture_output=True, text=True, timeout=60, check=True)
    errors.true("no terminal: nothing", not silent.stderr and not silent.stdout, silent.stderr)


def check_permission(errors: Errors, good: Path) -> None:
    secret = errors.folder / "secret.reprise"
    shutil.copy(good, secret)
    secret.chmod(0)
    how: dict[str, object] = {}
    if os.geteuid() == 0:
        errors.folder.chmod(0o755)
        how = {"user": NOBODY}
        if subprocess.run([errors.reprise, "-h"], capture_output=True, check=False, **how).returncode:
            return  # what was built is not for others
    for reader, more in READERS.items():
        errors.fails(f"{reader}: permission", [reader, secret, *[good for _ in more]], "Permission denied", **how)


def check_parts(errors: Errors, options: argparse.Namespace) -> None:
    """Parts of two runs do not become one trace; a part is no trace."""
    for name in ("one", "two"):
        command = launch.command(options.mpi, 2, [options.program, "kill"])
        env = launch.environment(options.waiting) | print_env(options.reprise, options.mpi, errors.folder / name)
        subprocess.run(command, env=env, capture_output=True, timeout=60, check=False)
    parts = [errors.folder / "one.part-0", errors.folder / "two.part-1"]
    errors.fails("merge: parts of two runs", ["merge", "-o", "merged", *parts], "is not of the run")
    unfinished = errors.folder / "good.reprise.part-1.partial-1234567"
    unfinished.write_text("a checkpoint that was never complete")
    command = launch.command(options.mpi, 2, [options.program])
    launch.run([options.reprise, "record", "--force", "-o", str(errors.folder / "good.reprise"), "--", *command], options.waiting)
    errors.true("what a killed rank left half done goes", not unfinished.exists(), "it is still there")
    errors.fails("merge: a part twice", ["merge", "-o", "merged", parts[0], parts[0]], "comes twice")
    for reader, more in READERS.items():
        errors.fails(f"{reader}: a part", [reader, parts[0], *[parts[0] for _ in more]], "reprise merge")
    data = parts[0].read_bytes()
    for what, end in {"header": 100, "slots": SLOTS - 3, "what counts": end_of_part(data) - 3}.items():
        parts[0].write_bytes(data[:end])
        errors.fails(f"merge: a part cut in its {what}", ["merge", "-o", "merged", parts[0]], "cut short")
    parts[0].write_bytes(data)
    # A limit on the size of files stands for a full disk.
    full = ["prlimit", "--fsize=8", errors.reprise, "merge", "-o", str(errors.folder / "merged"), str(parts[0])]
    run = subprocess.run(full, capture_output=True, text=True, check=False)
    errors.true("merge: full disk", run.returncode == 1 and "cannot be written" in run.stderr, f"{run.returncode} {run.stderr}")
    with Path("/dev/full").open("w") as said:
        run = subprocess.run([errors.reprise, "info", "missing"], stderr=said, check=False)
    errors.equal("an error that cannot be said", run.returncode, 1)
    errors.true("merge: nothing half done", not list(errors.folder.glob("merged*")), "something is left")
    errors.true("merge: the part is still there", parts[0].exists(), "it is gone")


def end_of_part(data: bytes) -> int:
    """Behind the body that is whole, or the call paths where there is none (compress/parts/part_layout.hpp)."""
    names, which, *bodies = struct.unpack_from("=QQQQQQ", data, 72)
    offset, size = bodies[2 * (which & 1) :][:2]
    return offset + size if size else SLOTS + names


def print_env(reprise: str, mpi: str, output: Path) -> dict[str, str]:
    words = [reprise, "record", "--print-env", "--mpi", mpi, "-o", str(output)]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"export (\w+)='(.*)'", text))


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        errors = Errors(options.reprise, Path(scratch))
        good = errors.folder / "good.reprise"
        command = launch.command(options.mpi, 2, [options.program])
        launch.run([options.reprise, "record", "-o", str(good), "--", *command], options.waiting)
        check_commands(errors, options.mpi)
        check_other_mpi(errors, options.mpi, options.program)
        check_static(errors, options.mpi)
        check_reading(errors, good)
        check_terminal(errors, good)
        check_parts(errors, options)
        return errors.status()


if __name__ == "__main__":
    sys.exit(main())
