#!/usr/bin/env python3
"""Holds the messages and wait states that `reprise analyze` tells of a program against an independent computation.

    independent.py --reprise build/bin/reprise FOLDER

FOLDER has examples, built with smpicc. From the flat logs that are written beside a trace this script makes the matrix
of messages, which must be equal, and simulates the calls, event by event, on a machine whose messages take no time. What
programs compute is not in the logs: it is what their sources say.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "smpi"))
import launch  # noqa: E402
from check import Checks  # noqa: E402
from simulated import simulated  # noqa: E402

PATIENCE = 300  # [s]
SIZES = {"MPI_CHAR": 1, "MPI_BYTE": 1, "MPI_INT": 4, "MPI_LONG": 8, "MPI_DOUBLE": 8}
EAGER = 65536  # [bytes]
# Messages take no time, and roots talk to each rank themselves.
MACHINE = ["--latency", "0", "--bandwidth", "unlimited", "--set", "collectives.bcast=linear"]
MACHINE += ["--set", "collectives.reduce=linear"]
# Recorded times are whole nanoseconds.
ROUNDING = 1e-9


class Call:
    """One line of a flat log."""

    def __init__(self, line: str) -> None:
        self.function, *rest = line.split()
        self.values = dict(word.split("=", 1) for word in rest)

    def __getitem__(self, column: str) -> str:
        return self.values[column]

    def peer(self, column: str) -> int | None:
        text = self.values[column]
        return None if text == "MPI_PROC_NULL" else int(text)

    def requests(self) -> list[str]:
        if "request" in self.values:
            return [self.values["request"]]
        return [word for word in self.values["requests"].strip("[]").split(",") if word]

    def bytes(self, count: str = "count", datatype: str = "datatype") -> int:
        return int(self.values[count]) * SIZES[self.values[datatype]]


# What a rank computes before each of its calls [s].
Computation = Callable[[list[Call], int], list[float]]


def after_waitall(seconds: float) -> Computation:
    """Stencils compute when they have exchanged their halos; with COMPUTE_IMBALANCE=3 on four ranks."""

    def computation(calls: list[Call], rank: int) -> list[float]:
        after = [False] + [call.function == "MPI_Waitall" for call in calls[:-1]]
        return [seconds * (1 + rank) if does else 0.0 for does in after]

    return computation


FAULTS = {"late-sender": 70, "late-receiver": 90, "slow-rank": 150, "early-root": 120, "late-root": 80, "serial-phase": 60}


def of_faults(calls: list[Call], rank: int) -> list[float]:
    """As examples/faults.c, with FAULTS."""
    is_even = rank % 2 == 0
    iteration = [
        ("MPI_Send" if is_even else "MPI_Recv", 100 + (FAULTS["late-sender"] if is_even else 0)),
        ("MPI_Recv" if is_even else "MPI_Send", 100 + (FAULTS["late-receiver"] if is_even else 0)),
        ("MPI_Allreduce", 100 + (FAULTS["slow-rank"] if rank == 1 else 0)),
        ("MPI_Reduce", 100 + (FAULTS["early-root"] if rank != 0 else 0)),
        ("MPI_Barrier", 0),
        ("MPI_Bcast", 100 + (FAULTS["late-root"] if rank == 0 else 0)),
        ("MPI_Barrier", FAULTS["serial-phase"] if rank == 0 else 0),
        ("MPI_Allreduce", 100),
        ("MPI_Sendrecv", 100),
        ("MPI_Sendrecv", 100),
        ("MPI_Barrier", 0),
    ]
    first = next(i for i, call in enumerate(calls) if call.function == iteration[0][0])
    out = [0.0] * len(calls)
    step = first
    while step + len(iteration) < len(calls) and calls[step].function == iteration[0][0]:
        for k, (function, us) in enumerate(iteration):
            assert calls[step + k].function == function, (rank, step + k)
            out[step + k] = us * 1e-6
        step += len(iteration)
    return out


class Operation:
    def __init__(self, receives: bool, posted: float, size: int = 0) -> None:
        self.receives, self.posted, self.size = receives, posted, size
        self.done: float | None = None


class Run:
    """All ranks, each a generator that yields while it cannot go on."""

    def __init__(self, logs: list[list[Call]], computation: Computation) -> None:
        self.logs, self.ranks = logs, len(logs)
        self.messages: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        self.waits: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * self.ranks)
        self.queues: dict[tuple, tuple[deque, deque]] = defaultdict(lambda: (deque(), deque()))
        self.meetings: dict[tuple, dict[int, float]] = defaultdict(dict)
        self.now = [0.0] * self.ranks
        live = {r: self.program(r, computation(logs[r], r)) for r in range(self.ranks)}
        while live:
            went_on = False
            for rank in list(live):
                for is_blocked in live[rank]:
                    if is_blocked:
                        break
                    went_on = True
                else:
                    del live[rank]
                    went_on = True
            assert went_on, "nobody can go on"

    def post(self, rank: int, receives: bool, peer: int | None, call: Call, tag: str, size: int = 0) -> Operation:
        operation = Operation(receives, self.now[rank], size)
        if peer is None:
            operation.done = self.now[rank]
            return operation
        channel = (peer, rank) if receives else (rank, peer)
        if not receives:
            self.messages[channel][0] += 1
            self.messages[channel][1] += size
            if size <= EAGER:
                operation.done = self.now[rank]
        # Communicators of all ranks in their order; those of one name are one.
        queue = self.queues[(*channel, call["comm"], tag)]
        queue[receives].append(operation)
        if queue[0] and queue[1]:
            send, receive = queue[0].popleft(), queue[1].popleft()
            receive.done = send.posted if send.size <= EAGER else max(send.posted, receive.posted)
            send.done = send.posted if send.size <= EAGER else receive.done
        return operation

    def note(self, rank: int, state: str, call: Call, until: float) -> None:
        if until > self.now[rank]:
            self.waits[state, call.function][rank] += until - self.now[rank]
            self.now[rank] = until

    def wait(self, rank: int, call: Call, operations: list[Operation]) -> Iterator[bool]:
        for operation in sorted(operations, key=lambda o: o.receives):
            while operation.done is None:
                yield True
            self.note(rank, "late-sender" if operation.receives else "late-receiver", call, operation.done)

    def meet(self, rank: int, call: Call, number: int) -> Iterator[bool]:
        """A collective of all ranks, the n-th on its communicator."""
        came = self.meetings[call["comm"], number]
        came[rank] = self.now[rank]
        if call.function == "MPI_Bcast":
            root = int(call["root"])
            while root not in came:
                yield True
            self.note(rank, "late-broadcast", call, came[root])
        elif call.function == "MPI_Reduce":
            if rank != int(call["root"]):
                return
            while len(came) < self.ranks:
                yield True
            self.note(rank, "early-reduce", call, max(came.values()))
        else:
            while len(came) < self.ranks:
                yield True
            state = "wait-at-barrier" if call.function == "MPI_Barrier" else "wait-at-nxn"
            self.note(rank, state, call, max(came.values()))

    def program(self, rank: int, computation: list[float]) -> Iterator[bool]:
        pending: list[tuple[Operation | None, tuple | None]] = []  # and how it is started, if it is persistent
        met: dict[str, int] = defaultdict(int)
        for call, span in zip(self.logs[rank], computation):
            self.now[rank] += span
            name = call.function
            if name in ("MPI_Send", "MPI_Isend", "MPI_Send_init"):
                arguments = (False, call.peer("dest"), call, call["tag"], call.bytes())
            elif name in ("MPI_Recv", "MPI_Irecv", "MPI_Recv_init"):
                arguments = (True, call.peer("source"), call, call["tag"])
            if name in ("MPI_Send", "MPI_Recv"):
                yield from self.wait(rank, call, [self.post(rank, *arguments)])
            elif name in ("MPI_Isend", "MPI_Irecv"):
                pending.append((self.post(rank, *arguments), None))
            elif name in ("MPI_Send_init", "MPI_Recv_init"):
                pending.append((None, arguments))
            elif name == "MPI_Startall":
                for number in call.requests():
                    at = len(pending) - 1 - int(number)
                    pending[at] = (self.post(rank, *pending[at][1]), pending[at][1])
            elif name == "MPI_Waitall":
                ends = [len(pending) - 1 - int(n) for n in call.requests() if n.lstrip("-").isdigit()]
                yield from self.wait(rank, call, [pending[at][0] for at in ends])
                over = {at for at in ends if pending[at][1] is None}
                pending = [p for at, p in enumerate(pending) if at not in over]
            elif name == "MPI_Request_free":
                del pending[len(pending) - 1 - int(call["request"])]
            elif name == "MPI_Sendrecv":
                size = call.bytes("sendcount", "sendtype")
                send = self.post(rank, False, call.peer("dest"), call, call["sendtag"], size)
                receive = self.post(rank, True, call.peer("source"), call, call["recvtag"])
                yield from self.wait(rank, call, [send, receive])
            elif name in ("MPI_Allreduce", "MPI_Reduce", "MPI_Bcast", "MPI_Barrier", "MPI_Cart_create", "MPI_Comm_dup", "MPI_Comm_split"):
                met[call["comm"]] += 1
                yield from self.meet(rank, call, met[call["comm"]])
            elif name not in ("MPI_Init", "MPI_Finalize", "MPI_Comm_free"):
                raise ValueError(f"{name} is not known here")
            yield False


def check(checks: Checks, reprise: str, folder: Path, ranks: int, words: list[str], computation: Computation) -> None:
    name = Path(words[0]).name
    trace, flat, dense = folder / f"{name}.reprise", folder / f"{name}.flat", folder / f"{name}.csv"
    command = [reprise, "record", "--time-precision", "0", "-o", str(trace), "--flat", str(flat), "--", *simulated(folder, ranks, words)]
    run = launch.run(command, None, PATIENCE)
    if run.returncode:
        raise RuntimeError(f"recording {words} ended with status {run.returncode}:\n{run.stdout}{run.stderr}")
    logs = [(flat / f"rank-{r}-thread-0.log").read_text().splitlines() for r in range(ranks)]
    expected = Run([[Call(line) for line in log] for log in logs], computation)
    for column, quantity in enumerate(("messages", "bytes")):
        words = [reprise, "analyze", str(trace), *MACHINE, "--json", "--matrix", "dense", "-o", str(dense), "--force"]
        told = subprocess.run([*words, "--quantity", quantity], capture_output=True, text=True, check=True).stdout
        with dense.open() as lines:
            matrix = [[int(n) for n in row] for row in csv.reader(lines)]
        wanted = [[expected.messages[a, b][column] for b in range(ranks)] for a in range(ranks)]
        checks.equal(f"{name}: {quantity}", matrix, wanted)
    found: dict[tuple[str, str], float] = defaultdict(float)
    most: dict[tuple[str, str], float] = defaultdict(float)
    for wait in json.loads(told)["wait_states"]:
        key = wait["id"], wait["at"]["function"]
        found[key] += wait["time_s"]
        most[key] += wait["most_of_a_rank_s"]
    checks.equal(f"{name}: wait states", sorted(found), sorted(expected.waits))
    for key, times in sorted(expected.waits.items()):
        rounding = ROUNDING * sum(len(log) for log in logs)
        checks.true(
            f"{name}: {key[0]} in {key[1]}",
            abs(found[key] - sum(times)) <= rounding and most[key] >= max(times) - rounding,
            f"  found {found[key]:.9f} s, {most[key]:.9f} s of a rank; wanted {sum(times):.9f} s, {max(times):.9f} s",
        )
        print(f"  {sum(times) * 1e3:.6f} ms")
    checks.true(f"{name}: time", abs(json.loads(told)["time_s"] - max(expected.now)) <= 1e-6, f"  wanted {max(expected.now)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    os.environ["COMPUTE_SCALE"] = "1000"
    os.environ["COMPUTE_IMBALANCE"] = "3"
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        for name, seconds in (("stencil1d", 2e-9 * 64 * 1000), ("persistent", 3e-9 * 256 * 1000)):
            words = [str(options.folder / name), "--steps", "20"]
            check(checks, options.reprise, Path(scratch), 4, words, after_waitall(seconds))
        os.environ["COMPUTE_SCALE"] = "1"
        os.environ["COMPUTE_IMBALANCE"] = "0"
        words = [str(options.folder / "faults")]
        for fault, us in FAULTS.items():
            words += [f"--{fault}", str(us)]
        check(checks, options.reprise, Path(scratch), 4, words, of_faults)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
