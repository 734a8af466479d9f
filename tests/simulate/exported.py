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
    """By the rules of LogGOPSim's reader: labels are there before they are required, once, and ranks in order."""
    lines = path.read_text().splitlines()
    out = Processes(int(lines[0].removeprefix("num_ranks ")))
    rank, labels = -1, {}
    for line in lines[1:]:
        label = line.split(":")[0] if ":" in line else ""
        if label in labels:
            sys.exit(f"{path.name}: rank {rank} has the label {label} twice")
        if begin := re.fullmatch(r"rank (\d+) {", line):
            if int(begin[1]) != rank + 1:
                sys.exit(f"{path.name}: rank {begin[1]} comes behind rank {rank}")
            rank, labels = int(begin[1]), {}
        elif need := re.fullmatch(r"(\w+) (i?)requires (\w+)", line):
            # What is to begin after another has begun stands behind it.
            if need[2] and labels[need[3]] >= labels[need[1]]:
                sys.exit(f"{path.name}: rank {rank} cannot begin: {line}")
            step = out.steps[rank][labels[need[1]]]
            # It has begun when all has that it needs itself.
            step[4].extend(out.steps[rank][labels[need[3]]][4] if need[2] else [labels[need[3]]])
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
    collectives = Path(fields["configuration files"][2].strip('"'))
    # Lines that Dimemas does not understand it skips without a word.
    phase = "(0|CTE|LIN|LOG) (MIN|MAX|MEAN|2MAX|S\\+R)"
    numbers = set()
    for line in (path.parent / collectives).read_text().splitlines():
        record = re.fullmatch(f"Machine globalop: 0 (\\d+) {phase} {phase}", line)
        # What is said of MPI_Reduce (10) is ignored.
        if not record or int(record[1]) >= 16 or int(record[1]) == 10:
            sys.exit(f"{collectives.name}: no collective: {line}")
        numbers.add(int(record[1]))
    if len(numbers) != 15:
        sys.exit(f"{collectives.name}: collectives are missing: {sorted(numbers)}")


class Dimemas:
    """A trace by the rules of Dimemas 5.5's reader; besides, the table must tell where the records of each task begin."""

    # Tags of accelerators: one, and all from another on.
    ACCELERATORS, ACCELERATORS_FROM = 3121, 49370

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.content = path.read_bytes()
        head = re.fullmatch(r'#DIMEMAS:"[^"]+":1,(\d+):(\d+)\((1(?:,1)*)\),(\d+)', self.content.split(b"\n", 1)[0].decode())
        if not head or int(head[2]) != head[3].count("1"):
            self.refuse(f"no header of Dimemas: {self.content[:200]}")
        self.table, self.tasks, communicators = int(head[1]), int(head[2]), int(head[4])
        lines = self.content[: self.table].decode().splitlines()[1:]
        self.members = [self.communicator(line) for line in lines[:communicators]]
        if self.members[0] != list(range(self.tasks)):
            self.refuse(f"the first communicator has not all tasks: {self.members[0]}")
        self.check_table()
        self.out = Processes(self.tasks)
        self.pending: dict[tuple, deque] = defaultdict(deque)
        self.last: dict[int, int] = {}  # the step that the next one comes after, by task
        self.meetings: dict[tuple, list[int]] = defaultdict(list)  # operations, by communicator and task
        for line in lines[communicators:]:
            self.record(line)
        self.check_meetings()

    def refuse(self, why: str) -> None:
        sys.exit(f"{self.name}: {why}")

    def communicator(self, line: str) -> list[int]:
        fields = re.fullmatch(r"d:1:(\d+):(\d+):([\d:]+)", line)
        members = [int(member) for member in fields[3].split(":")] if fields else []
        numbers = getattr(self, "numbers", [])
        self.numbers = [*numbers, int(fields[1])] if fields else numbers
        if not fields or len(members) != int(fields[2]) or len(set(members)) != len(members) or max(members) >= self.tasks:
            self.refuse(f"no communicator: {line}")
        if len(set(self.numbers)) != len(self.numbers):
            self.refuse(f"a communicator's number is there twice: {line}")
        return members

    def check_table(self) -> None:
        rows = self.content[self.table :].decode().splitlines()
        for task, line in enumerate(rows):
            row = re.fullmatch(rf"s:{task}:(\d+)", line)
            begin = int(row[1]) if row else 0
            if self.content[begin - 1 : begin] != b"\n" or not self.content[begin:].startswith(f"1:{task}:0:".encode()):
                self.refuse(f"task {task} does not begin where the table says: {line}")
        if len(rows) != self.tasks:
            self.refuse(f"the table has {len(rows)} tasks, not {self.tasks}")

    def add(self, rank: int, step: tuple, goes_on: bool) -> None:
        needs = [self.last[rank]] if rank in self.last else []
        self.out.steps[rank].append((*step, needs))
        if not goes_on:
            self.last[rank] = len(self.out.steps[rank]) - 1

    def record(self, line: str) -> None:
        burst = re.fullmatch(r"1:(\d+):0:(\d+\.\d+)", line)
        message = re.fullmatch(r"([23]):(\d+):0:(\d+):-1:(\d+):(\d+):1:([0-3])", line)
        collective = re.fullmatch(r"10:(\d+):0:(\d+):(\d+):([01]):0:(\d+):(\d+)", line)
        if not burst and not message and not collective:
            self.refuse(f"no record that is known: {line}")
        rank = int(burst[1] if burst else message[2] if message else collective[1])
        if not self.out.steps[rank] and not burst:
            self.refuse(f"task {rank} does not begin with a burst: {line}")
        if burst:
            self.out.computed[rank] += float(burst[2])
            self.add(rank, ("calc", 0, 0, ""), False)
        elif collective:
            self.meetings[int(collective[3]), rank].append(int(collective[2]))
            if int(collective[2]) >= 16:
                self.refuse(f"no collective: {line}")
            self.add(rank, ("calc", 0, 0, ""), False)
        else:
            self.message(rank, message)

    def message(self, rank: int, fields: re.Match) -> None:
        peer, size, tag, how = int(fields[3]), int(fields[4]), int(fields[5]), int(fields[6])
        if peer >= self.tasks or tag == self.ACCELERATORS or tag >= self.ACCELERATORS_FROM:
            self.refuse(f"no message between tasks: {fields[0]}")
        if fields[1] == "2":
            self.add(rank, ("send", peer, size, tag), how >= 2)
        elif how == 2:
            self.add(rank, ("calc", 0, 0, ""), False)
            self.out.steps[rank][-1][4].append(self.pending[rank, peer, tag].popleft())
        elif how == 3:
            self.refuse(f"no way to receive: {fields[0]}")
        else:
            if how == 1:
                self.pending[rank, peer, tag].append(len(self.out.steps[rank]))
            self.add(rank, ("receive", peer, size, tag), how == 1)

    def check_meetings(self) -> None:
        """Those of a communicator are the same, in the same order, for each of its members, and for nobody else."""
        for number, members in zip(self.numbers, self.members):
            series = {tuple(self.meetings.pop((number, member), ())) for member in members}
            if len(series) > 1:
                self.refuse(f"the members of communicator {number} do not meet: {series}")
        if self.meetings:
            self.refuse(f"meetings in communicators that their tasks are not in: {list(self.meetings)}")


def read_dimemas(path: Path) -> Processes:
    return Dimemas(path).out


def read_time_independent(path: Path) -> Processes:
    """By the rules of SimGrid 3's replay: a file of actions for each rank, which begins with init and ends with finalize."""
    files = path.read_text().splitlines()
    out = Processes(len(files))
    for rank, name in enumerate(files):
        lines = (path.parent / name).read_text().splitlines()
        if lines[0] != f"{rank} init" or lines[-1] != f"{rank} finalize":
            sys.exit(f"{name}: does not begin with init and end with finalize")
        pending: dict[tuple, deque] = defaultdict(deque)
        last: list[int] = []
        for line in lines[1:-1]:
            steps = out.steps[rank]
            if action := re.fullmatch(rf"{rank} compute (\d+)", line):
                out.computed[rank] += int(action[1]) * 1e-9
                steps.append(("calc", 0, 0, "", last))
            elif action := re.fullmatch(rf"{rank} (i?)(send|recv) (\d+) (\d+) (\d+)", line):
                kind, peer, tag = ("send" if action[2] == "send" else "receive"), int(action[3]), action[4]
                ends = (rank, peer, tag) if kind == "send" else (peer, rank, tag)
                if action[1]:
                    pending[ends].append(len(steps))
                steps.append((kind, peer, int(action[5]), tag, last))
                if action[1]:
                    continue
            elif action := re.fullmatch(rf"{rank} wait (\d+) (\d+) (\d+)", line):
                steps.append(("calc", 0, 0, "", [*last, pending[int(action[1]), int(action[2]), action[3]].popleft()]))
            else:
                sys.exit(f"{name}: no action of the replay: {line}")
            last = [len(steps) - 1]
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
            # Dimemas has no machine of the model hockney, and is not simulated here.
            machine = [] if "dimemas" in words else settings
            return subprocess.run([options.reprise, *words, *machine], capture_output=True, text=True, check=False)

        files = {format: folder / format for format in ("ti", "goal", "dimemas")}
        for format, path in files.items():
            run = reprise("export", str(trace), "--format", format, "-o", str(path))
            is_refused = run.returncode == 1 and "cannot be exported" in run.stderr
            if options.refused != is_refused or run.returncode not in (0, 1):
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
        # With collectives as records.
        records = folder / "records"
        run = reprise("export", str(trace), "--format", "dimemas", "--set", "collectives.model=dimemas", "-o", str(records))
        if not run.returncode:
            read_dimemas(records).run()
        elif "does not block" not in run.stderr:
            sys.exit(f"export --format dimemas ended with {run.returncode}:\n{run.stderr}")
        for processes in (read_goal(files["goal"]), read_dimemas(files["dimemas"]), read_time_independent(files["ti"])):
            processes.run()
            for rank, seconds in enumerate(processes.computed):
                # Times on files are exported as computation, and told as transfers.
                said, others = (ours["streams"][rank][key] for key in ("computation_s", "transfer_s"))
                if not said - 1e-8 < seconds < said + others + 1e-8:
                    sys.exit(f"rank {rank} computes {seconds} s, not {said} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
