"""What the calls of a trace come to in tasks of the world and bytes, written a second time.

A list of operations for each rank, as docs/conceptual.md says what becomes of each MPI call. What a
benchmark in coNCePTuaL does is recorded and read by the same code; there all calls are what they are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

SIZES = {
    "MPI_CHAR": 1, "MPI_BYTE": 1, "MPI_SIGNED_CHAR": 1, "MPI_UNSIGNED_CHAR": 1, "MPI_PACKED": 1, "MPI_CHARACTER": 1,
    "MPI_SHORT": 2, "MPI_INT": 4, "MPI_UNSIGNED": 4, "MPI_FLOAT": 4, "MPI_INTEGER": 4, "MPI_REAL": 4, "MPI_LOGICAL": 4,
    "MPI_INT32_T": 4, "MPI_UINT32_T": 4, "MPI_INT8_T": 1, "MPI_UINT8_T": 1, "MPI_INT16_T": 2, "MPI_LONG": 8, "MPI_UNSIGNED_LONG": 8, "MPI_LONG_LONG": 8, "MPI_LONG_LONG_INT": 8, "MPI_DOUBLE": 8,
    "MPI_DOUBLE_PRECISION": 8, "MPI_INT64_T": 8, "MPI_UINT64_T": 8, "MPI_AINT": 8, "MPI_2INT": 8, "MPI_FLOAT_INT": 8,
    "MPI_DOUBLE_INT": 12, "MPI_C_DOUBLE_COMPLEX": 16, "MPI_DOUBLE_COMPLEX": 16, "MPI_COMPLEX": 8, "MPI_INTEGER8": 8, "MPI_REAL8": 8,
}  # fmt: skip
COLLECTIVES = {
    "Barrier", "Bcast", "Reduce", "Allreduce", "Alltoall", "Gather", "Scatter", "Allgather", "Scan", "Exscan",
    "Reduce_scatter", "Reduce_scatter_block", "Allgatherv", "Gatherv", "Scatterv", "Alltoallv", "Alltoallw",
}  # fmt: skip
MESSAGES = {"Send", "Bsend", "Ssend", "Rsend", "Recv", "Sendrecv", "Sendrecv_replace", "Mrecv"}
# As messages, which need not block where the collective does not.
SENT = {"Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw"}
ALWAYS_SENT = {"Gatherv", "Scatterv", "Allgatherv", "Alltoallv", "Alltoallw"}
COMPLETIONS = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", "Request_free"}


@dataclass
class Call:
    name: str
    values: dict[str, str]

    def number(self, key: str) -> int:
        return int(self.values[key])

    def numbers(self, key: str) -> list[int]:
        text = self.values.get(key, "[]").strip("[]")
        return [int(v) for v in text.split(",")] if text else []


def parse(line: str) -> Call:
    name, _, rest = line.partition(" ")
    return Call(name.removeprefix("MPI_").removesuffix("_c"), dict(re.findall(r"(\S+?)=('(?:[^'\\]|\\.)*'|\[[^]]*\]|\S+)", rest)))


@dataclass
class Request:
    acts: list[tuple]
    persistent: bool = False
    is_open: bool = False


@dataclass
class Rank:
    me: int
    groups: dict[str, list[int]]
    sizes: dict[str, int] = field(default_factory=lambda: dict(SIZES))
    out: list[tuple] = field(default_factory=list)
    pending: list[Request] = field(default_factory=list)
    matched: list[tuple[int, int, list[int]]] = field(default_factory=list)
    open: int = 0
    unawaited: bool = False

    def bytes(self, call: Call, count: str, datatype: str) -> int:
        n = call.values.get(count, "-")
        return 0 if n == "-" else int(n) * self.sizes[call.values[datatype]]

    def world(self, call: Call, key: str) -> int | None:
        value = call.values[key]
        return None if value == "MPI_PROC_NULL" else self.groups[call.values["comm"]][int(value)]

    def await_all(self) -> None:
        self.out.append(("await",))
        self.unawaited = False

    def start(self, request: Request) -> None:
        self.out += request.acts
        if request.acts and not request.is_open:
            request.is_open = True
            self.open += 1
            self.unawaited = True

    def take(self, call: Call) -> None:
        name = call.name
        plain = name[1:].capitalize() if name.startswith("I") and name not in ("Init", "Init_thread", "Intercomm_create") else name
        for made, size in re.findall(r"(\S+)=(\d+)", " ".join(f"{k}={v}" for k, v in call.values.items())):
            if made.endswith("type_size"):
                self.sizes[call.values[made.removesuffix("_size")]] = int(size)
        if name == "Finalize":
            if self.unawaited:
                self.await_all()
        elif name in ("Start", "Startall"):
            for n in call.numbers("requests") or call.numbers("request"):
                self.start(self.pending[-1 - n])
        elif name in ("Mprobe", "Improbe"):
            self.matched.append((int(call.values["source"]), int(call.values["tag"]), self.groups[call.values["comm"]]))
        elif plain in MESSAGES:
            self.message(call, plain, later=plain != name)
        elif name.endswith("_init") and name != "Init":
            self.message(call, name.removesuffix("_init"), later=True, persistent=True)
        elif name in COMPLETIONS:
            self.complete(call)
        elif plain in COLLECTIVES and plain != name:
            self.pending.append(Request([]))
            if plain in SENT:
                self.pending[-1].acts = [self.member_by_member(call, plain)]
                self.start(self.pending[-1])
            else:
                self.collective(call, plain)
        elif plain in COLLECTIVES:
            self.collective(call, plain)
            if plain in ALWAYS_SENT:
                self.unawaited = True
                if self.open == 0:
                    self.await_all()
        elif name.startswith(("Ineighbor", "File_i", "Comm_idup", "Rput", "Rget", "Raccumulate")):
            self.pending.append(Request([]))

    def message(self, call: Call, plain: str, *, later: bool, persistent: bool = False) -> None:
        acts: list[tuple] = []
        both = plain.startswith("Sendrecv")
        if plain.endswith("end") or both:
            to = self.world(call, "dest")
            count, datatype = ("sendcount", "sendtype") if plain == "Sendrecv" else ("count", "datatype")
            if to is not None:
                kind = "isend" if later or both else "send"
                acts.append((kind, to, self.bytes(call, count, datatype), call.number("sendtag" if both else "tag")))
        if plain.endswith("ecv") or both:
            count, datatype = ("recvcount", "recvtype") if plain == "Sendrecv" else ("count", "datatype")
            if plain == "Mrecv":
                source, tag, group = self.matched.pop(-1 - call.number("message"))
                peer: int | None = group[source]
            else:
                peer = self.world(call, "source")
                tag = call.number("recvtag" if both else "tag") if peer is not None else 0
            if peer is not None:
                acts.append(("irecv" if later else "recv", peer, self.bytes(call, count, datatype), tag))
        if persistent:
            self.pending.append(Request(acts, persistent=True))
        elif later:
            self.pending.append(Request(acts))
            self.start(self.pending[-1])
        else:
            self.out += acts
            if both and acts and acts[0][0] == "isend":
                self.unawaited = True
                if self.open == 0:
                    self.await_all()

    def complete(self, call: Call) -> None:
        one = "request" in call.values
        numbers = [call.values["request"]] if one else call.values["requests"].strip("[]").split(",")
        done = [self.pending[-1 - int(n)] for n in numbers if n.isdigit()]
        if "index" in call.values:
            index = call.values["index"]
            chosen = numbers[int(index)] if index.isdigit() else "NULL"
            done = [self.pending[-1 - int(chosen)]] if chosen.isdigit() else []
        for request in done:
            self.open -= request.is_open
            request.is_open = False
        gone = [r for r in done if not r.persistent or call.name == "Request_free"]
        self.pending = [r for r in self.pending if not any(r is g for g in gone)]
        if self.unawaited and self.open == 0:
            self.await_all()

    def collective(self, call: Call, plain: str) -> None:
        group = self.groups[call.values["comm"]]
        members = tuple(sorted(group))
        root = group[call.number("root")] if "root" in call.values else -1
        in_place = call.values.get("sendbuf") == "MPI_IN_PLACE"
        side = "recv" if in_place else "send"
        own = self.bytes(call, side + "count", side + "type") if side + "type" in call.values else 0
        if plain == "Barrier":
            self.out.append(("barrier", members))
        elif plain == "Bcast":
            self.out.append(("bcast", root, self.bytes(call, "count", "datatype"), members))
        elif plain in ("Reduce", "Allreduce", "Scan", "Exscan"):
            n = -(-self.bytes(call, "count", "datatype") // 4) * 4
            self.out.append(("reduce", root, n, members) if plain == "Reduce" else ("allreduce", n, members))
        elif plain in ("Alltoall", "Allgather"):
            self.out.append(("alltoall", own, members))
        elif plain == "Scatter":
            received = call.values.get("recvbuf") != "MPI_IN_PLACE"
            n = self.bytes(call, "recvcount", "recvtype") if received else self.bytes(call, "sendcount", "sendtype")
            self.out.append(("bcast", root, n, members))
        elif plain == "Gather":
            self.out.append(("alltoallv", {root: own}, members))
        else:
            self.out.append(self.member_by_member(call, plain))

    def member_by_member(self, call: Call, plain: str) -> tuple:
        group = self.groups[call.values["comm"]]
        root = group[call.number("root")] if "root" in call.values else -1
        side = "recv" if call.values.get("sendbuf") == "MPI_IN_PLACE" else "send"
        each: dict[int, int] = {}
        if plain == "Alltoallv":
            counts = call.numbers(side + "counts")
            each = {group[i]: n * self.sizes[call.values[side + "type"]] for i, n in enumerate(counts)}
        elif plain == "Alltoallw":
            types = call.values[side + "types"].strip("[]").split(",")
            each = {group[i]: n * self.sizes[types[i]] for i, n in enumerate(call.numbers(side + "counts"))}
        return ("each", plain, root, tuple(sorted(group)), each, self.own_size(call, plain, group))

    def own_size(self, call: Call, plain: str, group: list[int]) -> int:
        """What is this rank's own in a collective of different sizes."""
        place = group.index(self.me)
        if plain == "Bcast":
            return self.bytes(call, "count", "datatype")
        if plain in ("Gather", "Allgather", "Alltoall"):
            side = "recv" if call.values.get("sendbuf") == "MPI_IN_PLACE" else "send"
            return self.bytes(call, side + "count", side + "type")
        if plain == "Scatter":
            side = "send" if call.values.get("recvbuf") == "MPI_IN_PLACE" else "recv"
            return self.bytes(call, side + "count", side + "type")
        if plain in ("Gatherv", "Allgatherv"):
            if call.values.get("sendbuf") == "MPI_IN_PLACE":
                return call.numbers("recvcounts")[place] * self.sizes[call.values["recvtype"]]
            return self.bytes(call, "sendcount", "sendtype")
        if plain == "Scatterv":
            if call.values.get("recvbuf") == "MPI_IN_PLACE":
                return call.numbers("sendcounts")[place] * self.sizes[call.values["sendtype"]]
            return self.bytes(call, "recvcount", "recvtype")
        if plain == "Reduce_scatter":
            return call.numbers("recvcounts")[place] * self.sizes[call.values["datatype"]]
        if plain == "Reduce_scatter_block":
            return self.bytes(call, "recvcount", "datatype")
        return 0


def find_groups(streams: list[list[Call]]) -> list[dict[str, list[int]]]:
    """The members of each communicator, as ranks in the world, by its number on each rank."""
    parts: dict[tuple, dict[int, int]] = defaultdict(dict)
    own: list[dict[str, tuple]] = [{} for _ in streams]
    seen: dict[tuple, int] = defaultdict(int)
    for me, calls in enumerate(streams):
        for call in calls:
            number = call.values.get("newcomm", "NULL")
            if not number.isdigit():
                continue
            rank, size = call.values["newcomm_rank"], call.values["newcomm_size"]
            parent = own[me].get(call.values.get("comm", "0"), ())
            key: tuple = (parent, number, size)
            if "color" in call.values:
                key += (call.values["color"],)
            elif call.name != "Comm_create_group":
                key += (seen[(key, rank)],)
                seen[(key[:-1], rank)] += 1
            own[me][number] = key
            parts[key][int(rank)] = me
    everybody = list(range(len(streams)))
    groups: list[dict[str, list[int]]] = []
    for me, numbers in enumerate(own):
        mine = {"0": everybody, "1": [me]}
        for number, key in numbers.items():
            mine[number] = [parts[key][r] for r in sorted(parts[key])]
        groups.append(mine)
    return groups


def unfold(lists: list[list[tuple]]) -> list[list[tuple]]:
    """Puts messages and single collectives in place of those in which each rank has its own size."""
    out: list[list[tuple]] = [[] for _ in lists]
    sizes: dict[tuple, dict[int, tuple]] = defaultdict(dict)
    numbered: list[list[tuple]] = []
    for me, acts in enumerate(lists):
        count: dict[tuple, int] = defaultdict(int)
        mine = []
        for act in acts:
            if act[0] == "each":
                key = (act[3], count[act[3]])
                count[act[3]] += 1
                sizes[key][me] = act
                mine.append(("each", key))
            else:
                mine.append(act)
        numbered.append(mine)
    for me, acts in enumerate(numbered):
        for act in acts:
            out[me] += single(me, sizes[act[1]]) if act[0] == "each" else [act]
    return out


def single(me: int, acts: dict[int, tuple]) -> list[tuple]:
    _, plain, root, members, _, _ = acts[me]
    out: list[tuple] = []
    if plain in ("Alltoallv", "Alltoallw"):
        for s in members:
            for d in members:
                n = acts[s][4].get(d, 0)
                if s == d or n == 0:
                    continue
                if s == me:
                    out.append(("isend", d, n, 0))
                if d == me:
                    out.append(("irecv", s, n, 0))
        return out
    for s in members:
        n = acts[s][5]
        if plain in ("Allgather", "Allgatherv", "Alltoall"):
            if s == me:
                out += [("isend", d, n, 0) for d in members if d != me]
            else:
                out.append(("irecv", s, n, 0))
        elif plain.startswith("Reduce_scatter"):
            out.append(("reduce", s, -(-n // 4) * 4, members))
        elif s != root:
            sender, receiver = (s, root) if plain.startswith("Gather") else (root, s)
            if me == sender:
                out.append(("isend", receiver, n, 0))
            if me == receiver:
                out.append(("irecv", sender, n, 0))
    return out


def operations(flat: list[list[str]], *, is_benchmark: bool) -> list[list[tuple]]:
    """By rank. What a benchmark does is not changed any further."""
    streams = [[parse(line) for line in lines] for lines in flat]
    groups = find_groups(streams)
    lists = []
    for me, calls in enumerate(streams):
        rank = Rank(me, groups[me])
        for call in calls:
            if not is_benchmark:
                rank.take(call)
            elif call.name == "Alltoallv":
                group = groups[me][call.values["comm"]]
                sent = {group[i]: n for i, n in enumerate(call.numbers("sendcounts")) if n}
                rank.out.append(("alltoallv", sent, tuple(group)))
            elif call.name == "Waitall":
                rank.out.append(("await",))
                rank.pending, rank.open, rank.unawaited = [], 0, False
            elif call.name in ("Isend", "Irecv"):
                rank.message(call, call.name[1:].capitalize(), later=True)
            elif call.name in MESSAGES or call.name in COLLECTIVES:
                rank.take(call)
        lists.append(tidy(rank.out))
    return lists if is_benchmark else [tidy(acts) for acts in unfold(lists)]


def tidy(acts: list[tuple]) -> list[tuple]:
    """One form for what is the same; a broadcast among one says nothing to anybody."""
    return [tidy_one(a) for a in acts if not (a[0] == "bcast" and len(a[-1]) == 1)]


def tidy_one(act: tuple) -> tuple:
    """One form for what is the same: collectives of one rank, and counts of zero."""
    if act[0] == "alltoallv" and isinstance(act[1], dict):
        sent = {d: n for d, n in act[1].items() if n}
        return ("alltoallv", tuple(sorted(sent.items())), act[2]) if len(act[2]) > 1 else ("alone", act[2])
    if act[0] == "alltoall" and len(act[-1]) == 1:
        return ("alone", act[-1])
    return act
