#!/usr/bin/env python3
"""Programs that hang and are killed: their traces say which calls had not returned, and which ranks wait for each other.

The parts are merged while the program hangs, too: that tells when it does.
"""

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

RANKS = 4
ROUNDS = 1000
PATIENCE = 60  # until all is written down that will be [s]
DECODER = Path(__file__).parent.parent.parent / "tools" / "decode_trace.py"

# By way to hang: the function that ranks are in, the cycle (empty: there is none), which wait for which, and words of the report.
WANTED = {
    "ring": ({r: "MPI_Send" for r in range(RANKS)}, [0, 1, 2, 3], {r: [(r + 1) % RANKS] for r in range(RANKS)}, []),
    "tags": ({r: "MPI_Waitall" for r in range(RANKS)}, [0, 3, 2, 1], {r: [(r - 1) % RANKS] for r in range(RANKS)}, []),
    "left": ({1: "MPI_Recv"}, [0, 1], {1: [0], 0: [1]}, [r"these wait for it:\n +ranks 2\.\.3 in MPI_Finalize in main hangs\.c:\d+\n"]),
    "late": (
        {0: "MPI_Wait", 2: "MPI_Wait", 3: "MPI_Wait"}, [], {0: [1], 2: [1], 3: [1]},
        [r"  ranks 0 2 3 wait for rank 1 to reach MPI_Iallreduce in main hangs\.c:\d+, in MPI_Wait in main hangs\.c:\d+\n",
         r"  rank 1 was outside MPI, after MPI_Barrier in main hangs\.c:"],
    ),
    "polls": (
        {0: "MPI_Test", 1: "MPI_Barrier", 2: "MPI_Barrier", 3: "MPI_Barrier"}, [0, 1], {0: [1], 1: [0]},
        [r"these wait for it:\n +ranks 2\.\.3 in MPI_Barrier in main hangs\.c:\d+\n"],
    ),
    "any": (
        {r: "MPI_Waitany" for r in range(RANKS)}, [0, 1, 2, 3], {r: [(r + 1) % RANKS, (r + 2) % RANKS] for r in range(RANKS)},
        [r"  rank 0 waits for a message from rank 1 or 2 in MPI_Waitany in main hangs\.c:\d+\n"],
    ),
    "fence": (
        {0: "MPI_Recv", 1: "MPI_Win_fence", 2: "MPI_Win_fence", 3: "MPI_Win_fence"}, [0, 1], {0: [1], 1: [0], 2: [0], 3: [0]},
        [r"  rank 1 waits for rank 0 to reach MPI_Win_fence in main hangs\.c:\d+\n"],
    ),
}  # fmt: skip


class Hang:
    def __init__(self, options: argparse.Namespace, folder: Path, way: str) -> None:
        self.options, self.folder, self.way = options, folder, way
        self.trace = folder / f"{way}.reprise"
        self.now = folder / "now"

    def info(self, trace: Path) -> dict:
        words = [self.options.reprise, "info", "--json", str(trace)]
        return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)

    def until_it_hangs(self) -> None:
        """Until every rank has been in its call for so long that it has written down all that came before."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            parts = sorted(str(p) for p in self.folder.glob(f"{self.way}.reprise.part-*"))
            words = [self.options.reprise, "merge", "--force", "-o", str(self.now), *parts]
            if len(parts) == RANKS and subprocess.run(words, capture_output=True, check=False).returncode == 0:
                said = self.info(self.now)
                known = said["unfinished"] or {"calls": []}
                # Before that all are in one of the barriers of the rounds.
                is_there = {call["rank"]: call["function"] for call in known["calls"]} == WANTED[self.way][0]
                if is_there and "calls after the last checkpoint of their rank" not in said["lost"]:
                    return
            time.sleep(0.1)
        raise TimeoutError(f"{self.way} does not hang")

    def run(self, kill: str, checks: Checks) -> subprocess.CompletedProcess[str]:
        command = launch.command(self.options.mpi, RANKS, [self.options.program, self.way, str(ROUNDS), str(self.folder)])
        words = [self.options.reprise, "record", "-o", str(self.trace), "--", *command]
        with subprocess.Popen(
            words, env=launch.environment(self.options.waiting), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                self.until_it_hangs()
                self.check_merge(checks)
                if kill == "ranks":
                    for rank in range(RANKS):
                        # The launcher may end the others once it sees one die.
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(int((self.folder / f"pid-{rank}").read_text()), signal.SIGKILL)
                else:
                    process.send_signal(signal.SIGTERM)
                out, error = process.communicate(timeout=PATIENCE)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return subprocess.CompletedProcess(words, process.returncode, out, error)


    def check_merge(self, checks: Checks) -> None:
        """Merging says what `info` then says of the end and of losses, here of a rank without a part; and that the run is under way."""
        parts = sorted(str(p) for p in self.folder.glob(f"{self.way}.reprise.part-*"))
        words = [self.options.reprise, "merge", "--force", "-o", str(self.now), *parts[1:]]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        shown = subprocess.run([self.options.reprise, "info", self.now], capture_output=True, text=True, check=True).stdout
        mine, theirs = said.splitlines(), shown.splitlines()
        checks.equal(f"{self.way}: merge says what info says", mine, theirs[-len(mine) :])
        # Ranks in MPI_Finalize have completed their parts.
        under_way = r"under way    (rank 1|ranks 1\.\.3), when the trace was made"
        checks.true(f"{self.way}: both say that the run is under way", re.search(under_way, said), said)
        checks.true(f"{self.way}: nobody has ended", "ended abruptly" not in said, said)
        checks.true(f"{self.way}: merge says what is lost", "lost         1 rank that left nothing\n" in said, said)


def check(checks: Checks, options: argparse.Namespace, folder: Path, way: str, kill: str) -> None:
    hang, name = Hang(options, folder, way), f"{way}, {kill}"
    run = hang.run(kill, checks)
    if not checks.true(f"{name}: a trace", hang.trace.exists(), run.stderr):
        return
    functions, cycle, waits, words_of_report = WANTED[way]
    said = hang.info(hang.trace)
    calls = {c["rank"]: c["function"] for c in said["unfinished"]["calls"]}
    checks.equal(f"{name}: who is in which call", calls, functions)
    checks.true(f"{name}: the line", all("hangs.c:" in c["callpath"] for c in said["unfinished"]["calls"]), str(said["unfinished"]))
    checks.true(f"{name}: nothing is missing", not said["lost"], str(said["lost"]))
    found = said["unfinished"]["waits"]
    checks.equal(f"{name}: the cycle", found["cycles"], [cycle] if cycle else [])
    for waiting in found["waiting"]:
        if waiting["rank"] in waits:
            peers = [awaited["peer"] for awaited in waiting["any_of"]]
            checks.equal(f"{name}: rank {waiting['rank']} waits for", peers, waits[waiting["rank"]])
    what = "a deadlock:" if cycle else "waiting ranks:"
    checks.true(f"{name}: record says so", what in run.stderr, run.stderr)
    for line in words_of_report:
        checks.true(f"{name}: record says {line}", re.search(line, run.stderr) is not None, run.stderr)
    for words in (["info"], ["analyze"], ["transform", "resolve", "-o", str(folder / "resolved"), "--force"]):
        text = subprocess.run([options.reprise, *words, hang.trace], capture_output=True, text=True, check=False).stdout
        checks.true(f"{name}: {words[0]} says so", what in text and "hangs.c:" in text, text)
    shown = subprocess.run([options.reprise, "show", hang.trace], capture_output=True, text=True, check=True).stdout
    checks.true(f"{name}: show has it", "# calls that had not returned" in shown and all(f in shown for f in functions.values()), shown)
    page = folder / "page.html"
    subprocess.run([options.reprise, "report", hang.trace, "-o", page], capture_output=True, check=True)
    checks.true(f"{name}: the page says so", what in page.read_text(errors="replace"), str(page))
    page.unlink()
    sought = subprocess.run([options.reprise, "seek", "--at", "1000000s", hang.trace], capture_output=True, text=True, check=False).stdout
    checks.true(f"{name}: seek has it", all(f"in {f} in " in sought for f in functions.values()) and "which had not returned" in sought, sought)
    for rank in range(RANKS):
        flat = subprocess.run([options.reprise, "show", "--flat", "--rank", str(rank), hang.trace], capture_output=True, text=True, check=True).stdout
        decoded = subprocess.run([sys.executable, DECODER, "--rank", str(rank), hang.trace], capture_output=True, text=True, check=False).stdout
        checks.equal(f"{name}: rank {rank} as another decoder reads it", flat, decoded)
        is_in = flat.splitlines()[-1].endswith("# had not returned")
        checks.equal(f"{name}: rank {rank} to its last call", (len(flat.splitlines()) > ROUNDS, is_in), (True, rank in functions))
    other = subprocess.run([options.reprise, "diff", hang.trace, folder / "resolved"], capture_output=True, text=True, check=False)
    checks.equal(f"{name}: resolving keeps it", other.returncode, 0)
    left = sorted(p.name for p in folder.iterdir() if p.name.startswith(way))
    checks.equal(f"{name}: nothing else is left", left, [hang.trace.name])
    hang.trace.unlink()


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--only", required=True, choices=WANTED)
    parser.add_argument("program")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        for kill in ("ranks", "command"):
            check(checks, options, Path(scratch), options.only, kill)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
