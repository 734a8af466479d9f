#!/usr/bin/env python3
"""Records a program in SimGrid's SMPI, exports its trace in every format, and checks what was written.

    exported.py --reprise build/bin/reprise --ranks 4 [--within 0.1] [--refused] -- PROGRAM ARGUMENT...

SimGrid's own replay of the time-independent trace must take as long as `reprise simulate` says on the same machine, within so
many per cent. The files for LogGOPSim and Dimemas are read by a small reader that shares nothing with the writer and
carries them out: every receive must get a message of its size, none may be left over, nobody may wait in vain, and each
rank must compute as long as the simulation says.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict, deque
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "smpi"), str(ROOT / "tests")]
import simulate_accuracy  # noqa: E402
from simulated import PATIENCE, launch, simulated_time  # noqa: E402


class Processes:
    """Lists of steps, carried out: a step is (kind, ...), and waits for those that it needs."""

    def __init__(self, ranks: int) -> None:
        self.steps: list[list[tuple]] = [[] for _ in range(ranks)]  # (kind, peer, size, tag, needs)
        self.computed = [0.0] * ranks  # [s]

    def run(self) -> None:
        """Messages of one (sender, receiver, tag) meet their receives in order; sends are eager."""
        under_way: dict[tuple, deque] = defaultdict(deque)
        done = [[False] * len(steps) for steps in self.steps]
        # A receive takes its message when it is begun: receives of one channel are begun in the order in which they stand.
        moved = True
        waiting = [list(range(len(steps))) for steps in self.steps]
        while moved:
            moved = False
            for rank, steps in enumerate(self.steps):
                left = []
                blocked = set()
                for i in waiting[rank]:
                    kind, peer, size, tag, needs = steps[i]
                    channel = (peer, rank, tag) if kind == "receive" else None
                    if not all(done[rank][n] for n in needs) or channel in blocked:
                        left.append(i)
                        if kind == "receive":
                            blocked.add(channel)
                        continue
                    if kind == "send":
                        under_way[rank, peer, tag].append(size)
                    elif kind == "receive":
                        if not under_way[channel]:
                            left.append(i)
                            blocked.add(channel)
                            continue
                        came = under_way[channel].popleft()
                        if came != size:
                            sys.exit(f"rank {rank} receives {size} bytes from {peer}, tag {tag}, where {came} are sent")
                    done[rank][i] = True
                    moved = True
                waiting[rank] = left
        for rank, left in enumerate(waiting):
            if left:
                sys.exit(f"rank {rank} waits in vain in step {left[0]}: {self.steps[rank][left[0]]}")
        for channel, sizes in under_way.items():
            if sizes:
                sys.exit(f"{len(sizes)} messages from {channel[0]} to {channel[1]}, tag {channel[2]}, are not received")


def read_goal(path: Path) -> Processes:
    lines = path.read_text().splitlines()
    out = Processes(int(lines[0].removeprefix("num_ranks ")))
    rank, labels = -1, {}
    for line in lines[1:]:
        if begin := re.fullmatch(r"rank (\d+) {", line):
            rank, labels = int(begin[1]), {}
        elif need := re.fullmatch(r"(\w+) requires (\w+)", line):
            out.steps[rank][labels[need[1]]][4].append(labels[need[2]])
        elif step := re.fullmatch(r"(\w+): (send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)", line):
            labels[step[1]] = len(out.steps[rank])
            kind = "send" if step[2] == "send" else "receive"
            out.steps[rank].append((kind, int(step[4]), int(step[3]), step[5], []))
        elif step := re.fullmatch(r"(\w+): calc (\d+)", line):
            labels[step[1]] = len(out.steps[rank])
            out.steps[rank].append(("calc", 0, 0, "", []))
            out.computed[rank] += int(step[2]) * 1e-9
        elif line != "}":
            sys.exit(f"{path.name}: no line of GOAL: {line}")
    return out


def check_dimemas_machine(path: Path, ranks: int) -> None:
    """The records of a configuration by the rules of Dimemas 5.5's reader: one on a line, with so many fields."""
    kinds = {"wide area network": 7, "environment": 7, "multi node": 14, "predefined mapping": 1, "configuration files": 4}
    first, *lines = path.read_text().splitlines()
    if first != "#DIMEMAS_CONFIGURATION":
        sys.exit(f"{path.name}: does not begin as a configuration: {first}")
    fields: dict[str, list[str]] = {}
    for line in lines:
        record = re.fullmatch(r'"([^"]*?)(?: information| parameters)?" {([^}]*)};;', line)
        if not record:
            sys.exit(f"{path.name}: no record: {line}")
        fields[record[1]] = [field.strip() for field in record[2].split(",")]
    for kind, count in kinds.items():
        if len(fields.get(kind, [])) != count:
            sys.exit(f"{path.name}: {kind} has {fields.get(kind)}, not {count} fields")
    nodes = int(fields["environment"][3])
    mapping = re.fullmatch(r'"(\d+) TASKS_PER_NODE"|"INTERLEAVED"', fields["predefined mapping"][0])
    if int(fields["multi node"][1]) != nodes or not mapping or (mapping[1] and nodes * int(mapping[1]) < ranks):
        sys.exit(f"{path.name}: no room for {ranks} tasks: {fields}")


def read_dimemas(path: Path) -> Processes:
    """By the rules of Dimemas 5.5's reader; besides, the table must tell where the records of each task begin."""
    content = path.read_bytes()
    lines = content.decode().splitlines()
    head = re.fullmatch(r'#DIMEMAS:"[^"]+":1,(\d+):(\d+)\((1(?:,1)*)\),1', lines[0])
    if not head or int(head[2]) != head[3].count("1"):
        sys.exit(f"{path.name}: no header of Dimemas: {lines[0]}")
    ranks = int(head[2])
    if lines[1].split(":") != ["d", "1", "1", str(ranks), *map(str, range(ranks))]:
        sys.exit(f"{path.name}: no communicator of all tasks: {lines[1]}")
    table = content[int(head[1]) :].decode().splitlines()
    for task, line in enumerate(table):
        row = re.fullmatch(rf"s:{task}:(\d+)", line)
        begin = int(row[1]) if row else 0
        if content[begin - 1 : begin] != b"\n" or not content[begin:].startswith(f"1:{task}:0:".encode()):
            sys.exit(f"{path.name}: task {task} does not begin where the table says: {line}")
    if len(table) != ranks:
        sys.exit(f"{path.name}: the table has {len(table)} tasks, not {ranks}")
    lines = content[: int(head[1])].decode().splitlines()
    out = Processes(ranks)
    pending: dict[tuple, deque] = defaultdict(deque)
    last: dict[int, int] = {}  # the step that the next one comes after, by rank

    def add(rank: int, step: tuple, goes_on: bool) -> None:
        needs = [last[rank]] if rank in last else []
        out.steps[rank].append((*step, needs))
        if not goes_on:
            last[rank] = len(out.steps[rank]) - 1

    for line in lines[1:]:
        kind, *fields = line.split(":")
        if kind == "d":
            continue
        rank = int(fields[0])
        if rank not in last and not out.steps[rank] and kind != "1":
            sys.exit(f"{path.name}: task {rank} does not begin with a burst: {line}")
        if kind == "1":
            out.computed[rank] += float(fields[2])
            add(rank, ("calc", 0, 0, ""), False)
        elif kind == "2":
            add(rank, ("send", int(fields[2]), int(fields[4]), fields[5]), fields[7] in ("2", "3"))
        elif kind == "3":
            peer, size, tag, how = int(fields[2]), int(fields[4]), fields[5], fields[7]
            if how == "2":
                add(rank, ("calc", 0, 0, ""), False)
                out.steps[rank][-1][4].append(pending[rank, peer, tag].popleft())
                continue
            if how == "1":
                pending[rank, peer, tag].append(len(out.steps[rank]))
            add(rank, ("receive", peer, size, tag), how == "1")
        else:
            sys.exit(f"{path.name}: no record that is known: {line}")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", type=Path, required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--within", type=float, default=0.01, help="per cent")
    parser.add_argument("--refused", action="store_true", help="it must be refused instead")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        trace = folder / "trace.reprise"
        build = options.reprise.resolve().parent.parent
        simulate_accuracy.record(build, folder, options.ranks, options.program, trace)
        settings = [word for pair in simulate_accuracy.OURS.items() for word in ("--set", "=".join(pair))]

        def reprise(*words: str) -> subprocess.CompletedProcess[str]:
            # Dimemas has no machine of the model loggp, and is not simulated here.
            machine = [] if "dimemas" in words else settings
            return subprocess.run([options.reprise, *words, *machine], capture_output=True, text=True, check=False)

        files = {format: folder / format for format in ("ti", "goal", "dimemas")}
        for format, path in files.items():
            run = reprise("export", str(trace), "--format", format, "-o", str(path))
            if options.refused != (run.returncode == 1 and "cannot be exported" in run.stderr):
                sys.exit(f"export --format {format} ended with {run.returncode}:\n{run.stderr}")
        if options.refused:
            return 0
        ours = json.loads(reprise("simulate", "--json", "--by-rank", str(trace)).stdout)

        no_replay = ("smpi/simulate-computation", "smpi/wtime")
        configuration = [f"--cfg={s}" for s in simulate_accuracy.SMPI if not s.startswith(no_replay)]
        platform = ["-np", str(options.ranks), "-platform", str(folder / "platform.xml"), "-hostfile", str(folder / "hosts")]
        log = ["--log=root.thres:critical", "--log=smpi_utils.thres:info", "--log=root.fmt:%m%n"]
        words = ["smpirun", *platform, *configuration, *log, "-replay", str(files["ti"])]
        replay = launch.run(words, None, PATIENCE)
        if replay.returncode:
            sys.exit(f"{' '.join(words)} ended with {replay.returncode}:\n{replay.stdout}{replay.stderr}")
        theirs = float(simulated_time(replay.stdout + replay.stderr))
        print(f"reprise simulate: {ours['time_s']} s, replayed by SimGrid: {theirs} s")
        if abs(ours["time_s"] - theirs) > options.within / 100 * theirs + 1e-8:
            return 1

        check_dimemas_machine(folder / "dimemas.cfg", options.ranks)
        for processes in (read_goal(files["goal"]), read_dimemas(files["dimemas"])):
            processes.run()
            for rank, seconds in enumerate(processes.computed):
                # Times on files are exported as computation, and told as transfers.
                said, others = (ours["streams"][rank][key] for key in ("computation_s", "transfer_s"))
                if not said - 1e-8 < seconds < said + others + 1e-8:
                    sys.exit(f"rank {rank} computes {seconds} s, not {said} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
