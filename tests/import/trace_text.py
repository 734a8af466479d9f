"""What a trace says that was imported, from `reprise show --flat` alone."""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from walk import walk  # noqa: E402

COLUMN = re.compile(r"(\w+)=(\[[^\]]*\]|\S+)")


@dataclass
class Trace:
    calls: list[Counter] = field(default_factory=list)
    polls: list[int] = field(default_factory=list)
    sent: Counter = field(default_factory=Counter)
    messages: Counter = field(default_factory=Counter)
    received: Counter = field(default_factory=Counter)
    times: Counter = field(default_factory=Counter)  # function -> [ns] over all ranks


def columns_of(line: str) -> dict[str, str]:
    return dict(COLUMN.findall(line))


class Members:
    """The communicators of all ranks: by number and color, who is in them."""

    def __init__(self, ranks: int) -> None:
        self.ranks = ranks
        self.mine: list[dict[str, tuple[str, str]]] = [{} for _ in range(ranks)]  # number -> which one
        self.members: dict[tuple, dict[int, int]] = defaultdict(dict)

    def learn(self, rank: int, columns: dict[str, str]) -> None:
        if columns.get("newcomm", "NULL") == "NULL":
            return
        which = columns["newcomm"], columns.get("color", ""), str(self.mine[rank].get(columns["comm"]))
        self.mine[rank][columns["newcomm"]] = which
        self.members[which][int(columns["newcomm_rank"])] = rank

    def world_rank(self, rank: int, comm: str, peer: int) -> int:
        if comm == "0":  # MPI_COMM_WORLD
            return peer
        return rank if comm == "1" else self.members[self.mine[rank][comm]][peer]


def read(reprise: str, path: Path) -> Trace:
    info = json.loads(subprocess.run([reprise, "info", "--json", path], capture_output=True, check=True).stdout)
    out = Trace()
    members = Members(info["ranks"])
    lines = [walk(reprise, path, rank) for rank in range(info["ranks"])]
    for rank, calls in enumerate(lines):
        for line in calls:
            members.learn(rank, columns_of(line))
    for rank, calls in enumerate(lines):
        counts: Counter = Counter()
        polls = 0
        for line in calls:
            name, columns = line.split()[0], columns_of(line)
            counts[name] += 1
            polls += int(columns["polls"])
            add_message(out, members, rank, columns)
        out.calls.append(counts)
        out.polls.append(polls)
    times = json.loads(subprocess.run([reprise, "stats", "--times", "--json", path], capture_output=True, check=True).stdout)
    for row in times["rows"]:
        if row["what"] == "communicate":
            out.times[row["function"]] += row["total_ns"]
    return out


def add_message(out: Trace, members: Members, rank: int, columns: dict[str, str]) -> None:
    for peer, count, bytes_of in (("dest", "sendcount", out.sent), ("source", "recvcount", out.received)):
        if peer not in columns or not columns[peer].isdigit():
            continue
        other = members.world_rank(rank, columns["comm"], int(columns[peer]))
        pair = (rank, other) if peer == "dest" else (other, rank)
        bytes_of[pair] += int(columns.get(count) or columns["count"])
        if peer == "dest":
            out.messages[pair] += 1
