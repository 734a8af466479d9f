"""What an OTF2 archive says, by the library's own Python reader: calls, bytes of each pair of ranks, times."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import otf2
from otf2.events import Enter, Leave, MpiIrecv, MpiIsend, MpiRecv, MpiSend


@dataclass
class Archive:
    calls: list[Counter] = field(default_factory=list)  # by rank: function -> how often
    sent: Counter = field(default_factory=Counter)  # (from, to) in the world -> bytes
    messages: Counter = field(default_factory=Counter)  # likewise -> how many
    received: Counter = field(default_factory=Counter)  # (from, to) -> bytes
    times: list[Counter] = field(default_factory=list)  # by rank: function -> [ns] in it
    regions: set[str] = field(default_factory=set)  # that are not of MPI
    order: list[list[str]] = field(default_factory=list)  # by rank: functions as they were called


def read(path: Path) -> Archive:
    out = Archive()
    with otf2.reader.open(str(path)) as trace:
        resolution = trace.timer_resolution
        world = next(
            g.members
            for g in trace.definitions.groups
            if g.group_type == otf2.GroupType.COMM_LOCATIONS and g.paradigm == otf2.Paradigm.MPI
        )
        rank_of = {location: rank for rank, location in enumerate(world)}
        out.calls = [Counter() for _ in world]
        out.times = [Counter() for _ in world]
        out.order = [[] for _ in world]
        entered: dict[object, list] = defaultdict(list)

        def world_rank(comm, rank: int) -> int:
            members = comm.group.members
            return rank_of[members[rank]] if members and members[rank] in rank_of else members[rank]

        for location, event in trace.events:
            if location not in rank_of:
                continue
            rank = rank_of[location]
            if isinstance(event, Enter):
                entered[rank].append(event)
                name = event.region.name
                if name.startswith("MPI_"):
                    out.calls[rank][name] += 1
                    out.order[rank].append(name)
                else:
                    out.regions.add(name)
            elif isinstance(event, Leave):
                begin = entered[rank].pop()
                if event.region.name.startswith("MPI_"):
                    out.times[rank][event.region.name] += (event.time - begin.time) * 1_000_000_000 // resolution
            elif isinstance(event, (MpiSend, MpiIsend)):
                pair = rank, world_rank(event.communicator, event.receiver)
                out.sent[pair] += event.msg_length
                out.messages[pair] += 1
            elif isinstance(event, (MpiRecv, MpiIrecv)):
                out.received[world_rank(event.communicator, event.sender), rank] += event.msg_length
    return out
