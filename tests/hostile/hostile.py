#!/usr/bin/env python3
"""Drives every subcommand over traces that claim more than they hold, within bounds of memory and processor time.

A command may refuse a trace, in one message, or do what it is asked. It may not die, run out of memory, or print a
control character. What honest programs reach must be read, and worked on if the memory suffices.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import check  # noqa: E402

MEMORY = 2 << 30  # address space [bytes]
SECONDS = 120  # of a processor, on a slow machine
OUTPUT = 1 << 20  # what is read of it [bytes]; more is refused, as a pager does that is left


# TRACE is the file, RING an ordinary one, OUT a file to write.
COMMANDS = [
    "info TRACE",
    "info --json TRACE",
    "show TRACE",
    "show --json TRACE",
    "show --callpaths TRACE",
    "show --rank 0 TRACE",
    "show --flat --rank 0 --callpaths TRACE",
    "show --flat --json --rank 0 TRACE",
    "stats TRACE",
    "stats --by callpath --json TRACE",
    "stats --times TRACE",
    "seek --at 1s TRACE",
    "seek --at 1s --rank 0 --json TRACE",
    "diff TRACE TRACE",
    "diff TRACE RING",
    "diff --json --ignore callpaths RING TRACE",
    "replay --launcher echo TRACE",
    "generate TRACE -o OUT",
    "generate --single-file TRACE -o OUT",
    "generate --language python TRACE -o OUT",
    "generate --language conceptual TRACE -o OUT",
    "generate --language conceptual --exact TRACE -o OUT",
    "extrapolate TRACE RING --ranks 8 -o OUT",
    "fit TRACE RING -o OUT",
    "simulate TRACE",
    "simulate TRACE --json --by-rank",
    "model TRACE RING --samples 2 -o OUT",
    "export --format goal TRACE -o OUT",
    "export --force --format dimemas TRACE -o OUT",
    "export --format otf2 TRACE -o FOLDER",
    "export --format paraver TRACE -o OUT.prv",
    "export --format perfetto TRACE -o OUT",
    "export --force --format mpip TRACE -o OUT",
    "analyze TRACE",
    "analyze --json TRACE",
    "report TRACE -o OUT",
    "transform align TRACE -o OUT",
    "transform resolve TRACE -o OUT",
    "symbolize OUT",
    "merge -o OUT TRACE",
]

CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\xbf]")


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))


def run(words: list[str]) -> tuple[int, bytes, bytes]:
    """The status, what was printed, up to a bound, and errors."""
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, preexec_fn=limit) as process,  # noqa: PLW1509
    ):
        assert process.stdout
        out = process.stdout.read(OUTPUT)
        process.stdout.close()
        status = process.wait()
        errors.seek(0)
        return status, out, errors.read(OUTPUT)


def problem(status: int, out: bytes, errors: bytes, honest: bool) -> str:
    """What is wrong with how a command ended; empty if nothing."""
    text = errors.decode(errors="replace")
    if status < 0 and not (status == -signal.SIGPIPE and len(out) == OUTPUT):
        return f"ended by signal {-status}: {text[-300:]}"
    if status not in (0, 1, 2) and len(out) < OUTPUT:
        return f"status {status}: {text[-300:]}"
    for words in ("not enough memory", "unexpected error", "Assertion", "REQUIRE"):
        if words in text:
            return text[-300:]
    for stream in (out, errors):
        if found := CONTROL.search(stream):
            return f"control character in {stream[max(0, found.start() - 40) : found.end() + 20]!r}"
    needs_memory = "bytes of memory, and there are" in text
    if honest and not needs_memory and ("cannot be read" in text or "damaged" in text):
        return f"an honest trace is refused: {text[-300:]}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--make", required=True)
    parser.add_argument("--only", default="", help="part of the name of the traces to try")
    parser.add_argument("--command", default="", help="part of the commands to try")
    parser.add_argument("--every", type=int, default=1, help="try each command on every N-th trace, each trace with every N-th command")
    parser.add_argument("--from", dest="first", type=int, default=0, help="with --every: the first of them")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not 0 <= options.first < options.every:
        parser.error("--from is not below --every; nothing would be tried")
    checks = check.Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        subprocess.run([options.make, scratch], check=True)
        for place, trace in enumerate(sorted([*folder.glob("*.hostile"), *folder.glob("*.honest")])):
            if options.only not in trace.name:
                continue
            for number, command in enumerate(COMMANDS):
                if options.command not in command or (place + number) % options.every != options.first:
                    continue
                made, archive = folder / "made", folder / "archive"
                for old in folder.glob("made*"):
                    old.unlink()
                shutil.rmtree(archive, ignore_errors=True)
                if command.startswith("symbolize"):
                    shutil.copy(trace, made)
                names = {"TRACE": trace, "RING": folder / "classes_of_ranks.honest", "OUT": made, "OUT.prv": f"{made}.prv", "FOLDER": archive}
                words = [str(names.get(w, w)) for w in command.split()]
                before = os.times()
                status, out, errors = run([options.reprise, *words])
                after = os.times()
                seconds = after.children_user + after.children_system - before.children_user - before.children_system
                wrong = problem(status, out, errors, trace.suffix == ".honest")
                name = f"{command.replace('TRACE', trace.name)}"
                if options.verbose:
                    print(f"{name}: status {status}, {seconds:.1f} s, {errors[-150:]!r}", flush=True)
                if wrong:
                    checks.true(name, False, f"  {seconds:.1f} s; {wrong}")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
