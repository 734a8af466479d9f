#!/usr/bin/env python3
"""Executes the coNCePTuaL programs of this folder under the recorder: the calls and bytes of every
rank in the trace are those that the language's definition asks for, and what is wrong is said once."""

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
import walk  # noqa: E402
from check import Checks  # noqa: E402

HERE = Path(__file__).parent
SECONDS = 120
BOOKKEEPING = {"MPI_Init", "MPI_Finalize", "MPI_Comm_group", "MPI_Group_incl", "MPI_Group_free", "MPI_Comm_create_group"}


class Tester:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder, self.checks = options, folder, Checks()
        self.program = str(Path(options.reprise).parent / "reprise-run")

    def run(self, ranks: int, words: list[str], *, record: Path | None = None):
        command = launch.command(self.options.mpi, ranks, [self.program, *words])
        if record:
            command = [self.options.reprise, "record", "-o", str(record), "--", *command]
        return launch.run(command, self.options.waiting, SECONDS)

    def calls(self, name: str, ranks: int, *words: str) -> tuple[list[list[str]], str]:
        """The calls of each rank that the program asks for, and what it printed."""
        trace = self.folder / f"{name}-{ranks}.reprise"
        log = str(self.folder / f"{name}-{ranks}-%p.log")
        run = self.run(ranks, [str(HERE / f"{name}.ncptl"), "-L", log, *words], record=trace)
        self.checks.true(f"{name} on {ranks} ends well", run.returncode == 0, run.stdout + run.stderr)
        lines = [walk.walk(self.options.reprise, trace, rank) for rank in range(ranks)]
        return [[line for line in own if re.match(r"\w+", line)[0] not in BOOKKEEPING] for own in lines], run.stdout

    def counts(self, what: str, found: list[str], **wanted: int) -> None:
        self.checks.equal(what, dict(Counter(re.match(r"MPI_(\w+)", line)[1] for line in found)), wanted)


def bytes_of(lines: list[str], *functions: str) -> int:
    return sum(int(re.search(r"\bcount=(\d+)", line)[1]) for line in lines if line.split()[0] in functions)


def pingpong(t: Tester) -> None:
    ranks, reps = 3, 4
    calls, _ = t.calls("pingpong", ranks, "--reps", str(reps), "-m64")
    sizes = [0, 1, 2, 4, 8, 16, 32, 64]
    for rank in (0, 1):
        t.counts(f"calls of rank {rank}", calls[rank], Send=reps * len(sizes), Recv=reps * len(sizes))
        t.checks.equal(f"bytes of rank {rank}", bytes_of(calls[rank], "MPI_Send"), reps * sum(sizes))
    t.checks.equal("a task that takes no part", calls[2], [])
    order = [line.split()[0] for line in calls[0][:2]] + [line.split()[0] for line in calls[1][:2]]
    t.checks.equal("the order of calls", order, ["MPI_Send", "MPI_Recv", "MPI_Recv", "MPI_Send"])
    log = (t.folder / "pingpong-3-0.log").read_text().splitlines()
    data = [line for line in log if not line.startswith("#")]
    t.checks.equal("titles of the log", data[:2], ['"Bytes","1/2 RTT (usecs)"', '"(only value)","(median)"'])
    t.checks.equal("rows of the log", [int(line.split(",")[0]) for line in data[2:]], sizes)
    t.checks.true("comments of the log", "# Repetitions of each size: 4" in log and "# Program exited normally." in log, "\n".join(log))
    t.checks.equal("only the task that logs has a log", (t.folder / "pingpong-3-1.log").exists(), False)


def stencil(t: Tester) -> None:
    for ranks in (4, 16):
        steps = 10
        calls, _ = t.calls("stencil", ranks, "--steps", str(steps), "--bytes", "100", "-c0")
        for rank in (0, ranks - 1):
            t.counts(f"calls of rank {rank} of {ranks}", calls[rank], Isend=4 * steps, Irecv=4 * steps, Waitall=steps, Allreduce=steps // 5, Barrier=1)
            t.checks.equal("bytes", bytes_of(calls[rank], "MPI_Isend"), 4 * steps * 100)
        x, y = 1, 0
        wanted = {y * 4 + (x - 1) % 4, y * 4 + (x + 1) % 4, (y - 1) % (ranks // 4) * 4 + x, (y + 1) % (ranks // 4) * 4 + x}
        found = {int(re.search(r"dest=(\d+)", line)[1]) for line in calls[1] if line.startswith("MPI_Isend")}
        t.checks.equal("neighbors", found, wanted)
        data = [line for line in (t.folder / f"stencil-{ranks}-0.log").read_text().splitlines() if not line.startswith("#")]
        t.checks.equal("bytes that are logged", data[2].split(",")[1], str(4 * steps * 100 + 8 * (steps // 5)))


def collectives(t: Tester) -> None:
    calls, _ = t.calls("collectives", 4)
    common = {"Alltoall": 1, "Alltoallv": 1, "Allreduce": 1}
    t.counts("collectives of rank 0", calls[0], Bcast=1, Barrier=3 + 1, Reduce=2, **common)
    t.counts("collectives of rank 1", calls[1], Bcast=1 + 6 + 1, Barrier=1, Reduce=2, **common)
    t.counts("collectives of rank 2", calls[2], Bcast=1 + 1, Barrier=3 + 1, Reduce=1, **common)
    t.counts("collectives of rank 3", calls[3], Bcast=1 + 6, Barrier=1, Reduce=1, **common)
    t.checks.true("the volumes of Alltoallv", any(re.search(r"sendcounts=\D?4\b", line) for line in calls[3]), "\n".join(calls[3]))


def messages(t: Tester) -> None:
    calls, printed = t.calls("messages", 3)
    t.counts("messages of rank 0", calls[0], Send=2 + 1 + 1 + 1, Isend=1, Irecv=1, Waitall=1, Recv=2 + 1)
    t.counts("messages of rank 1", calls[1], Irecv=2 + 1, Waitall=2, Recv=1 + 1 + 1, Isend=1, Send=1 + 1 + 1)
    t.checks.equal("output", sorted(printed.splitlines()), ["bit errors: 0", "received 3 messages, 0 bit errors"])


def refusals(t: Tester) -> None:
    def refused(what: str, ranks: int, text: str, message: str, status: int = 1, *words: str) -> None:
        file = t.folder / "wrong.ncptl"
        file.write_text(text)
        run = t.run(ranks, [str(file), *words])
        said = re.findall(r"^reprise-run: .*$", run.stdout + run.stderr, re.MULTILINE)
        fine = run.returncode == status and len(said) == 1 and bool(re.search(message, said[0]))
        t.checks.true(what, fine, f"status {run.returncode}\n{run.stdout}{run.stderr}")

    refused("a syntax error", 2, "ALL TASKS\n SYNCHRONISE", r"wrong\.ncptl:2:13: .* is not understood here")
    refused("an unknown variable", 2, "TASK x SYNCHRONIZES", r"wrong\.ncptl:1:6: x is not known")
    refused("an assertion", 2, 'ASSERT THAT "there are three" WITH num_tasks = 3', r"there are three")
    refused("a circle", 3, "ALL TASKS t SEND A 0 BYTE MESSAGE TO TASK (t+1) MOD num_tasks", r"1:1: tasks would wait for each other for ever")
    refused("what one task finds", 3, "FOR 3 REPETITIONS TASK 1 OUTPUTS 1/(num_tasks-3) THEN ALL TASKS SYNCHRONIZE", r"rank 1: .*:1:35: a number is divided by zero")
    refused("what all find on the way", 3, "ALL TASKS SYNCHRONIZE THEN FOR EACH i IN {1, 0} FOR 1/i REPETITIONS ALL TASKS SYNCHRONIZE", r"1:54: a number is divided by zero")
    refused("what is not awaited", 2, "TASK 0 ASYNCHRONOUSLY SENDS A 1 BYTE MESSAGE TO TASK 1", r"still under way")
    refused("an unknown option", 2, "ALL TASKS SYNCHRONIZE", r"--nope is not understood", 2, "--nope")
    log = t.folder / "kept.log"
    log.write_text("kept")
    logging = 'TASK 0 LOGS 1 AS "one"'
    refused("a log that exists", 2, logging, r"kept\.log exists", 1, "-L", str(log))
    run = t.run(2, ["--force", str(t.folder / "wrong.ncptl"), "-L", str(log)])
    t.checks.true("a log is replaced with --force", run.returncode == 0 and log.read_text() != "kept", run.stderr)


def command(t: Tester) -> None:
    def reprise(*words: str):
        return launch.run([t.options.reprise, "run", "--mpi", t.options.mpi, *words], t.options.waiting, SECONDS)

    run = reprise("-n", "2", str(HERE / "pingpong.ncptl"), "--reps", "2", "--logfile", "-")
    t.checks.true("reprise run", run.returncode == 0 and '"Bytes","1/2 RTT (usecs)"\n"(only value)","(median)"\n0,' in run.stdout, run.stdout + run.stderr)
    run = reprise(str(HERE / "pingpong.ncptl"), "--help")
    t.checks.true("help of a program", run.returncode == 0 and "Repetitions of each size [default: 10]" in run.stdout, run.stdout + run.stderr)
    run = reprise("--check", str(HERE / "stencil.ncptl"))
    t.checks.true("--check", run.returncode == 0 and "3 parameters" in run.stdout, run.stdout + run.stderr)
    run = reprise(str(t.folder / "none.ncptl"))
    t.checks.true("a missing file", run.returncode == 1 and "none.ncptl cannot be read" in run.stderr, run.stderr)
    run = reprise()
    t.checks.true("no file", run.returncode == 2 and "FILE.ncptl" in run.stderr, run.stderr)
    run = reprise(str(HERE / "pingpong.ncptl"), "--nope")
    t.checks.true("an option that the program does not have", run.returncode == 2 and "--nope" in run.stderr, run.stderr)


def main() -> int:
    parser = launch.options_parser(__doc__)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tester = Tester(options, Path(scratch))
        for test in (pingpong, stencil, collectives, messages, refusals, command):
            test(tester)
        return tester.checks.status()


if __name__ == "__main__":
    sys.exit(main())
