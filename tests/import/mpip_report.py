"""A reader of mpiP's reports, as strict as the one of Tool Gear's mpipview: titles in their places, words by number."""

from dataclasses import dataclass, field
from pathlib import Path


class ReportError(Exception):
    pass


@dataclass
class Row:
    """Of the sections by rank: times [ms] or bytes."""

    count: int
    largest: float
    mean: float
    smallest: float
    rest: tuple[float, float]  # App% and MPI%, or the sum of bytes alone


@dataclass
class Report:
    facts: list[tuple[str, str]] = field(default_factory=list)
    tasks: dict[int, tuple[float, float]] = field(default_factory=dict)  # rank -> application and MPI [s]
    all_tasks: tuple[float, float] = (0, 0)
    sites: dict[int, str] = field(default_factory=dict)  # -> function, without "MPI_"
    frames: dict[tuple[int, int], tuple[str, int, str]] = field(default_factory=dict)  # site, level -> file, line, function
    top_time: list[list[str]] = field(default_factory=list)
    top_sent: list[list[str]] = field(default_factory=list)
    times: dict[tuple[int, str], Row] = field(default_factory=dict)  # site, rank or "*"
    sent: dict[tuple[int, str], Row] = field(default_factory=dict)


class Lines:
    def __init__(self, path: Path) -> None:
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.at = 0

    def next(self) -> str:
        if self.at == len(self.lines):
            raise ReportError("the report ends early")
        self.at += 1
        return self.lines[self.at - 1]

    def title(self) -> str:
        rule, title, end = self.next(), self.next(), self.next()
        if set(rule) != {"-"} or rule != end or not title.startswith("@--- ") or not title.endswith("-"):
            raise ReportError(f"no title: {title}")
        return title[5:].rstrip("-").rstrip()

    def rows(self, words: int | tuple[int, ...]):
        """The words of each line up to the next title, behind the line that names the columns."""
        numbers = (words,) if isinstance(words, int) else words
        self.next()
        while self.at < len(self.lines) and not self.lines[self.at].startswith("-"):
            line = self.next()
            if not line.strip():
                continue
            if len(line.split()) not in numbers:
                raise ReportError(f"{len(line.split())} words, not {numbers}: {line}")
            yield line.split()


def read_frames(lines: Lines, report: Report, number: int, depth: int) -> None:
    for words in lines.rows((4, 5, 6)):
        site, level = int(words[0]), int(words[1])
        if site != len(report.sites) + (level == 0) or not 0 <= level < depth:
            raise ReportError(f"site {site}, level {level} comes where it does not belong")
        if level == 0:
            report.sites[site] = words.pop()
        file, line, function = (words[2], 0, words[3]) if len(words) == 4 else (words[2], int(words[3]), words[4])
        if len(words) == 4 and function != "[unknown]":
            raise ReportError(f"{function} has no line")
        report.frames[site, level] = file, line, function
    if len(report.sites) != number or number < 1:
        raise ReportError(f"{len(report.sites)} call sites, not {number}")


def read_by_rank(lines: Lines, report: Report, columns: int) -> dict[tuple[int, str], Row]:
    out: dict[tuple[int, str], Row] = {}
    for words in lines.rows(columns):
        site, rank = int(words[1]), words[2]
        if report.sites[site] != words[0] or not (rank == "*" or int(rank) in report.tasks) or (site, rank) in out:
            raise ReportError(f"no such site or rank: {words}")
        numbers = [float(w) for w in words[4:]]
        out[site, rank] = Row(int(words[3]), *numbers[:3], tuple(numbers[3:]))
    return out


def read(path: Path) -> Report:
    report, lines = Report(), Lines(path)
    if lines.next() != "@ mpiP":
        raise ReportError("no report of mpiP")
    while line := lines.next():
        if not line.startswith("@ ") or ":" not in line:
            raise ReportError(f"no line of a header: {line}")
        name, value = line[2:].split(":", 1)
        report.facts.append((name.strip(), value.strip()))
    facts = dict(report.facts)
    depth = int(facts["MPIP env var"].split("-k")[1].split()[0])
    ranks = [int(v.split()[0]) for n, v in report.facts if n == "MPI Task Assignment"]
    while (title := lines.title()) != "End of Report":
        if title == "MPI Time (seconds)":
            for task, app, mpi, _ in lines.rows(4):
                if task == "*":
                    report.all_tasks = float(app), float(mpi)
                else:
                    report.tasks[int(task)] = float(app), float(mpi)
        elif title.startswith("Callsites: "):
            read_frames(lines, report, int(title.split()[1]), depth)
        elif title == "Aggregate Time (top twenty, descending, milliseconds)":
            report.top_time = list(lines.rows(6))
        elif title == "Aggregate Sent Message Size (top twenty, descending, bytes)":
            report.top_sent = list(lines.rows(6))
        elif title.startswith("Callsite Time statistics (all, milliseconds): "):
            report.times = read_by_rank(lines, report, 9)
            if int(title.split()[-1]) != sum(rank != "*" for _, rank in report.times):
                raise ReportError(f"the title tells another number of rows: {title}")
        elif title == "Callsite Message Sent statistics (all, sent bytes)":
            report.sent = read_by_rank(lines, report, 8)
        else:
            raise ReportError(f"unknown section: {title}")
    if ranks != list(range(len(report.tasks))):
        raise ReportError(f"tasks {ranks}, and times of {sorted(report.tasks)}")
    return report
