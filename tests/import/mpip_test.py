"""Exports a recorded program as a report of mpiP, reads it as mpiP's viewers do, and compares it with counts of the flat
log that was written while the program ran."""

import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import mpip_report  # noqa: E402
import trace_text  # noqa: E402
from check import Checks  # noqa: E402
from launch import command, environment, options_parser  # noqa: E402

RANKS = 4
SIZES = {"MPI_INT": 4, "MPI_DOUBLE": 8}  # [bytes]
NO_SITES = {"MPI_Init", "MPI_Finalize"}
ROUNDING_MS = 0.5e-6  # of a number in the report


def bytes_sent(rank: int, function: str, columns: dict[str, str], members: trace_text.Members) -> int:
    """What the rank hands to a call of the program tests/import/calls.c as data to send."""
    if "count" not in columns or "source" in columns or columns.get("dest") == "MPI_PROC_NULL":
        return 0
    if function == "MPI_Bcast" and members.world_rank(rank, columns["comm"], int(columns["root"])) != rank:
        return 0
    return int(columns["count"]) * SIZES[columns["datatype"]]


class Counted:
    """By function without "MPI_", and rank: calls, and what each sent."""

    def __init__(self, reprise: str, trace: Path, log: Path) -> None:
        members, walked = trace_text.Members(RANKS), [trace_text.walk(reprise, trace, r) for r in range(RANKS)]
        for rank, lines in enumerate(walked):
            for line in lines:
                members.learn(rank, trace_text.columns_of(line))
        self.calls: Counter = Counter()
        self.sent: dict[tuple[str, int], list[int]] = defaultdict(list)
        for rank, lines in enumerate(walked):
            # The log has the arguments as the program gave them; the trace numbers its communicators.
            logged = (log / f"rank-{rank}-thread-0.log").read_text().splitlines()
            for line, of_trace in zip(logged, lines, strict=True):
                function = line.split()[0]
                if function in NO_SITES:
                    continue
                columns = trace_text.columns_of(line) | {"comm": trace_text.columns_of(of_trace).get("comm", "")}
                self.calls[function[4:], rank] += 1
                self.sent[function[4:], rank].append(bytes_sent(rank, function, columns, members))


def by_function(report: mpip_report.Report, rows: dict) -> dict[tuple[str, int], list[mpip_report.Row]]:
    out = defaultdict(list)
    for (site, rank), row in rows.items():
        if rank != "*":
            out[report.sites[site], int(rank)].append(row)
    return out


def check_counts(checks: Checks, report: mpip_report.Report, counted: Counted) -> None:
    times, sent = by_function(report, report.times), by_function(report, report.sent)
    checks.equal("calls of each function on each rank", {k: sum(r.count for r in rows) for k, rows in times.items()},
                 dict(counted.calls))
    # A call site of this program sends something in each execution on a rank, or in none.
    positive = {k: [size for size in sizes if size > 0] for k, sizes in counted.sent.items()}
    senders = {k: sizes for k, sizes in positive.items() if sizes}
    checks.equal("bytes that each rank sends", {k: sum(r.rest[0] for r in rows) for k, rows in sent.items()},
                 {k: sum(sizes) for k, sizes in senders.items()})
    checks.equal("largest and smallest", {k: (max(r.largest for r in rows), min(r.smallest for r in rows)) for k, rows in sent.items()},
                 {k: (max(sizes), min(sizes)) for k, sizes in senders.items()})
    totals = Counter()
    for (function, _), sizes in senders.items():
        totals[function] += sum(sizes)
    found = Counter()
    for function, _, _, total, _, _ in report.top_sent:
        found[function] += int(total)
    checks.equal("bytes of the call sites that send most", dict(found), dict(totals))


def check_times(checks: Checks, report: mpip_report.Report, trace: trace_text.Trace) -> None:
    found: Counter = Counter()
    of_rank: Counter = Counter()
    for (site, rank), row in report.times.items():
        checks.true(f"order of site {site}, {rank}", row.smallest <= row.mean + ROUNDING_MS and row.mean <= row.largest + ROUNDING_MS,
                    str(row))
        if rank != "*":
            found["MPI_" + report.sites[site]] += row.mean * row.count
            of_rank[int(rank)] += row.mean * row.count
    for function, nanoseconds in trace.times.items():
        calls = sum(c[function] for c in trace.calls)
        if function not in NO_SITES:
            checks.true(f"time in {function}", abs(found[function] - nanoseconds / 1e6) <= calls * ROUNDING_MS,
                        f"{found[function]} ms for {nanoseconds} ns")
    for rank, (application, mpi) in report.tasks.items():
        calls = sum(trace.calls[rank].values())
        checks.true(f"times of rank {rank}", abs(of_rank[rank] - 1e3 * mpi) <= calls * ROUNDING_MS + 1e-3 and mpi <= application,
                    f"{application} s, {mpi} s in MPI, {of_rank[rank]} ms at call sites")
    checks.true("times of all ranks", abs(report.all_tasks[1] - sum(m for _, m in report.tasks.values())) < RANKS * 1e-6, str(report.all_tasks))


def check_places(checks: Checks, report: mpip_report.Report, source: Path) -> None:
    lines = source.read_text().splitlines()
    for site, function in report.sites.items():
        file, line, _ = report.frames[site, 0]
        checks.true(f"place of site {site}", file == source.name and f"MPI_{function}(" in lines[line - 1], f"{file}:{line} {function}")


def main() -> int:
    parser = options_parser(__doc__)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        trace, log, report = Path(name) / "app.reprise", Path(name) / "log", Path(name) / "app.mpiP"
        words = [options.reprise, "record", "--time-precision", "0", "--flat", log, "-o", trace, "--",
                 *command(options.mpi, RANKS, options.program)]
        subprocess.run([str(w) for w in words], env=environment(options.waiting), check=True, timeout=200,
                       stdout=subprocess.DEVNULL)
        counted, read = Counted(options.reprise, trace, log), trace_text.read(options.reprise, trace)
        for depth in (1, 3):
            subprocess.run([options.reprise, "export", trace, "--format", "mpip", "--force", "-o", report, "--depth", str(depth)],
                           check=True, timeout=200)
            found = mpip_report.read(report)
            check_counts(checks, found, counted)
            check_times(checks, found, read)
            check_places(checks, found, HERE / "calls.c")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
