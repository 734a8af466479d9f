#!/usr/bin/env python3
"""Records a program in SimGrid's SMPI, and checks what was recorded.

    simulated.py --reprise build/bin/reprise --ranks 16 [--twin PROGRAM] [--alone] -- PROGRAM ARGUMENT...

The trace, walked rank by rank, must equal the flat log; with --twin, also what Open MPI's build of the same program
does, apart from what SMPI tells otherwise; with --alone, recording must not change the simulated time or the output.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent))
import launch  # noqa: E402
import oracle  # noqa: E402

# Names of one datatype, of which a program under SMPI gets the first whichever it asks for.
ALIASES = {
    "MPI_INTEGER": "MPI_INT",
    "MPI_LOGICAL": "MPI_INT",
    "MPI_REAL": "MPI_FLOAT",
    "MPI_DOUBLE_PRECISION": "MPI_DOUBLE",
    "MPI_CHARACTER": "MPI_CHAR",
}
PATIENCE = 600  # [s]
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="cluster" prefix="node" radical="0-{last}" suffix="" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
"""


def simulated(folder: Path, ranks: int, program: list[str]) -> list[str]:
    """The command that simulates a program on as many nodes as it has ranks, in time that repeats exactly."""
    platform, hosts = folder / "platform.xml", folder / "hosts"
    platform.write_text(PLATFORM.format(last=ranks - 1))
    hosts.write_text("".join(f"node{i}\n" for i in range(ranks)))
    settings = ["smpi/simulate-computation:no", "smpi/wtime:0", "smpi/display-timing:yes"]
    log = ["--log=root.thres:critical", "--log=smpi_utils.thres:info", "--log=smpi.thres:info", "--log=root.fmt:%m%n"]
    files = ["-np", str(ranks), "-platform", str(platform), "-hostfile", str(hosts)]
    return ["smpirun", *files, *(f"--cfg={s}" for s in settings), *log, *program]


def simulated_time(output: str) -> str:
    found = re.search(r"Simulated time: (\S+) seconds", output)
    return found[1] if found else "unknown"


def walk(reprise: str, trace: Path, rank: int) -> list[str]:
    command = [reprise, "show", "--flat", "--rank", str(rank), str(trace)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [re.sub(r"MPI_\w+", lambda m: ALIASES.get(m[0], m[0]), line) for line in text.splitlines()]


def difference(reprise: str, trace: Path, twin: Path, ranks: int) -> str | None:
    for rank in range(ranks):
        ours, theirs = walk(reprise, trace, rank), walk(reprise, twin, rank)
        if not ours:
            return f"rank {rank} recorded no call"
        for number, (a, b) in enumerate(zip(ours + [""], theirs + [""]), 1):
            if a != b:
                return f"rank {rank} call {number}\n  SMPI:     {a}\n  Open MPI: {b}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--twin", help="the same program, built with Open MPI")
    parser.add_argument("--alone", action="store_true", help="also run it without recording, and compare")
    parser.add_argument("--waiting", type=Path, help="library that makes waiting cheap")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        program = [word.replace("{tmp}", scratch) for word in options.program]
        command = simulated(Path(scratch), options.ranks, program)
        trace, flat = Path(scratch) / "trace.reprise", Path(scratch) / "flat"
        # All ranks are one process, which may not open a log for each of very many.
        log = ["--flat", str(flat)] if options.ranks <= 512 else []
        recorded = launch.run([options.reprise, "record", "-o", str(trace), *log, "--", *command], None, PATIENCE)
        print(recorded.stdout, recorded.stderr, sep="", end="")
        if recorded.returncode:
            print(f"the recorded program ended with status {recorded.returncode}", file=sys.stderr)
            return 1
        if options.alone:
            alone = launch.run(command, None, PATIENCE)
            times = [simulated_time(run.stdout + run.stderr) for run in (alone, recorded)]
            if (alone.returncode, alone.stdout) != (recorded.returncode, recorded.stdout) or times[0] != times[1]:
                print(f"alone it takes {times[0]} s instead of {times[1]} s and prints:\n{alone.stdout}", file=sys.stderr)
                return 1
            print(f"simulated time with and without the recorder: {times[0]} s")
        if options.twin:
            twin = Path(scratch) / "twin.reprise"
            real = launch.command("openmpi", options.ranks, [options.twin, *program[1:]])
            run = launch.run([options.reprise, "record", "-o", str(twin), "--", *real], options.waiting)
            if run.returncode:
                print(f"Open MPI's ended with status {run.returncode}:\n{run.stdout}{run.stderr}", file=sys.stderr)
                return 1
            found = difference(options.reprise, trace, twin, options.ranks)
            if found:
                print(f"it does otherwise than under Open MPI: {found}", file=sys.stderr)
                return 1
            print("the same calls as under Open MPI")
        if not log:
            calls = [len(walk(options.reprise, trace, rank)) for rank in range(0, options.ranks, 31)]
            print(f"calls of every 31st rank: {calls}; trace of {trace.stat().st_size} bytes")
            return 0 if min(calls) > 2 else 1
        sys.argv = [sys.argv[0], "--reprise", options.reprise, str(trace), str(flat)]
        return oracle.main()


if __name__ == "__main__":
    sys.exit(main())
