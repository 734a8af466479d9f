#!/usr/bin/env python3
"""Records a workload, then its replay, then the replay of that: all three traces must do the same.

    fixed_point.py --reprise build/bin/reprise --mpi openmpi --ranks 4 -- PROGRAM ARGUMENT...

Call paths and the numbers of polls may differ; nothing else. With --bytes, what a replay says that it has sent and
written must be what `reprise info` says of the trace.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

# Open MPI has one handle for all sends that are buffered, which a replay copies.
IGNORED = {"openmpi": "callpaths,times,polls,handles", "mpich": "callpaths,times,polls"}


def record(reprise: str, how: list[str], command: list[str], trace: Path, waiting: Path | None) -> str | None:
    """What the command prints, if all goes well."""
    run = launch.run([reprise, "record", "-o", str(trace), *how, "--", *command], waiting)
    print(run.stdout, run.stderr, sep="", end="")
    if run.returncode or not trace.exists():
        print(f"{' '.join(command)} ended with status {run.returncode}", file=sys.stderr)
        return None
    return run.stdout


def bytes_of(reprise: str, trace: Path) -> int:
    info = subprocess.run([reprise, "info", "--json", str(trace)], capture_output=True, text=True, check=True)
    said = json.loads(info.stdout)
    return said["bytes_sent"] + said["bytes_written"]


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--bytes", action="store_true", help="compare the bytes, too")
    parser.add_argument("--posix-io", action="store_true", help="also record the program's own files")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    how = ["--posix-io"] if options.posix_io else []

    with tempfile.TemporaryDirectory() as scratch:
        program = [word.replace("{tmp}", scratch) for word in options.program]
        traces = [Path(scratch) / name for name in ("original", "replay", "replay_of_replay")]
        replay = str(Path(options.reprise).parent / "reprise-replay")
        for i, trace in enumerate(traces):
            words = [replay, str(traces[i - 1]), "--scratch", scratch] if i else program
            printed = record(options.reprise, how, launch.command(options.mpi, options.ranks, words), trace, options.waiting)
            if printed is None:
                return 1
            if i and options.bytes:
                counted = re.search(r"^\d+ calls, (\d+) bytes sent", printed, re.MULTILINE)
                wanted = bytes_of(options.reprise, traces[i - 1])
                if not counted or int(counted[1]) != wanted:
                    print(f"{counted and counted[1]} bytes are said to be sent, and not {wanted}", file=sys.stderr)
                    return 1
            compare = [options.reprise, "diff", "--ignore", IGNORED[options.mpi], str(traces[max(0, i - 1)]), str(trace)]
            difference = subprocess.run(compare, capture_output=True, text=True, check=False)
            if difference.returncode:
                print(f"{trace.name} does otherwise:\n{difference.stdout}{difference.stderr}", file=sys.stderr)
                return 1
    print("the replay, and the replay of the replay, do the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
