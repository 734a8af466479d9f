"""Writes a Paraver trace as Extrae does, of a program that each rank of a ring runs: without Reprise, by a clock of its own
for each rank.

    python3 paraver_archive.py FILE.prv RANKS STEPS"""

import heapq
import random
import sys
from collections.abc import Iterator
from pathlib import Path

SEND_BYTES, REDUCED_BYTES = 4096, 8
# Types and values of events.
POINT_TO_POINT, COLLECTIVE, OTHER = 50000001, 50000002, 50000003
ISEND, IRECV, WAITALL, RECV, SEND = 3, 4, 6, 2, 1
BCAST, ALLREDUCE = 7, 10
COMM_RANK, INIT, FINALIZE = 19, 31, 32
NAMES = {POINT_TO_POINT: {ISEND: "MPI_Isend", IRECV: "MPI_Irecv", WAITALL: "MPI_Waitall", RECV: "MPI_Recv", SEND: "MPI_Send"},
         COLLECTIVE: {BCAST: "MPI_Bcast", ALLREDUCE: "MPI_Allreduce"},
         OTHER: {COMM_RANK: "MPI_Comm_rank", INIT: "MPI_Init", FINALIZE: "MPI_Finalize"}}
CALLERS = {1: "main", 2: "exchange", 3: "sum_up"}
CYCLES = 42000059  # a hardware counter


class Rank:
    """What one rank does, as times of its calls and what they move."""

    def __init__(self, rank: int, ranks: int, steps: int) -> None:
        self.random = random.Random(rank)
        self.rank, self.time = rank, 1000 + 10 * rank
        self.calls: list[tuple] = []  # (begin, end, type, value, details, callers)
        self.sent: list[tuple] = []  # (receiver, tag, bytes, begin, end)
        self.received: list[tuple] = []  # (sender, tag, begin, end)
        self.call(OTHER, INIT, callers=[1])
        self.call(OTHER, COMM_RANK, callers=[1])
        for _ in range(steps):
            self.exchange(ranks)
            self.sum_up(ranks)
        self.call(OTHER, FINALIZE, callers=[1])

    def call(self, kind: int, value: int, details: tuple = (), callers: list[int] = ()) -> tuple[int, int]:
        begin = self.time + self.random.randint(50, 100)
        self.time = begin + self.random.randint(20, 40)
        self.calls.append((begin, self.time, kind, value, details, callers))
        return begin, self.time

    def exchange(self, ranks: int) -> None:
        left, right = (self.rank - 1) % ranks, (self.rank + 1) % ranks
        where = [2, 1]
        _, posted_left = self.call(POINT_TO_POINT, IRECV, callers=where)
        _, posted_right = self.call(POINT_TO_POINT, IRECV, callers=where)
        for peer, tag in ((right, 1), (left, 2)):
            self.sent.append((peer, tag, SEND_BYTES, *self.call(POINT_TO_POINT, ISEND, callers=where)))
        _, end = self.call(POINT_TO_POINT, WAITALL, callers=where)
        self.received += [(left, 1, posted_left, end), (right, 2, posted_right, end)]

    def sum_up(self, ranks: int) -> None:
        self.call(COLLECTIVE, ALLREDUCE, ((50100001, REDUCED_BYTES), (50100002, REDUCED_BYTES), (50100004, 1)), [3, 1])
        is_root = self.rank == ranks - 1
        sizes = (16, 0) if is_root else (0, 16)
        self.call(COLLECTIVE, BCAST, ((50100001, sizes[0]), (50100002, sizes[1]), (50100004, 1),
                                      *([(50100003, 1)] if is_root else [])), [3, 1])
        if self.rank > 0:
            self.received.append((self.rank - 1, 5, *self.call(POINT_TO_POINT, RECV, callers=[1])))
        if self.rank < ranks - 1:
            self.sent.append((self.rank + 1, 5, 100, *self.call(POINT_TO_POINT, SEND, callers=[1])))


def records_of(rank: Rank, received: dict) -> Iterator[tuple[int, str]]:
    me = f"{rank.rank + 1}:1:{rank.rank + 1}:1"
    last = 0
    sent = iter(sorted(rank.sent, key=lambda s: s[3]))
    message = next(sent, None)
    for begin, end, kind, value, details, callers in rank.calls:
        yield last, f"1:{me}:{last}:{begin}:1"
        levels = [e for i, c in enumerate(callers, 1) for e in ((70000000 + i, c), (80000000 + i, c))]
        events = [(kind, value), *details, (CYCLES, begin), *levels]
        yield begin, f"2:{me}:{begin}:" + ":".join(f"{t}:{v}" for t, v in events)
        if message and message[3] == begin:
            peer, tag, size, _, left = message
            _, _, posted, done = received[rank.rank, peer, tag].pop(0)
            yield begin, f"3:{me}:{begin}:{left}:{peer + 1}:1:{peer + 1}:1:{posted}:{done}:{size}:{tag}"
            message = next(sent, None)
        yield end, f"2:{me}:{end}:{kind}:0:{CYCLES}:{end}"
        last = end


def write(path: Path, ranks: int, steps: int) -> None:
    program = [Rank(r, ranks, steps) for r in range(ranks)]
    received: dict[tuple, list] = {}
    for rank in program:
        for entry in rank.received:
            received.setdefault((entry[0], rank.rank, entry[1]), []).append(entry)
    tasks = ",".join(["1:1"] * ranks)
    with path.open("w") as to:
        to.write(f"#Paraver (01/02/2026 at 03:04):{max(r.time for r in program)}_ns:1({ranks}):1:{ranks}({tasks}),{ranks + 1}\n")
        to.write(f"c:1:1:{ranks}:" + ":".join(str(r + 1) for r in range(ranks)) + "\n")
        to.writelines(f"c:1:{r + 2}:1:{r + 1}\n" for r in range(ranks))
        merged = heapq.merge(*(records_of(r, received) for r in program), key=lambda record: record[0])
        to.writelines(line + "\n" for _, line in merged)
    with path.with_suffix(".pcf").open("w") as to:
        for kind, values in NAMES.items():
            to.write(f"EVENT_TYPE\n9    {kind}    MPI\nVALUES\n" + "".join(f"{v}   {n}\n" for v, n in values.items()))
            to.write("0   Outside MPI\n\n\n")
        for first, label in ((70000000, "{name} [{name}]"), (80000000, "ring.c:{n} [ring.c:{n}, ring]")):
            to.write("EVENT_TYPE\n" + "".join(f"0    {first + i}    Level {i}\n" for i in (1, 2)) + "VALUES\n0   End\n")
            to.writelines(f"{n}   {label.format(name=name, n=n)}\n" for n, name in CALLERS.items())
            to.write("\n\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
