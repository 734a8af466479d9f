"""Exports a recorded program to Paraver, and compares with the trace what an independent reader finds there (prv.py); then
imports, exports again and compares."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import prv  # noqa: E402
import trace_text  # noqa: E402
from check import Checks  # noqa: E402
from launch import command, environment, options_parser  # noqa: E402

# Paraver does not say which communicators these make and free: all are made after MPI_Init.
OF_COMMUNICATORS = {"MPI_Comm_split", "MPI_Comm_dup", "MPI_Comm_free"}
INT, DOUBLE = 4, 8  # [bytes]


def run(*words: object) -> str:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ends with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def record(options, path: Path) -> None:
    words = [options.reprise, "record", "--time-precision", "0", "-o", path, "--",
             *command(options.mpi, options.ranks, options.program)]
    subprocess.run([str(w) for w in words], env=environment(options.waiting), check=True, timeout=200, stdout=subprocess.DEVNULL)


def compare_export(checks: Checks, trace: trace_text.Trace, found: prv.Trace) -> None:
    checks.equal("calls", [dict(c) for c in found.calls], [dict(c) for c in trace.calls])
    checks.equal("messages of each pair", dict(found.messages), dict(trace.messages))
    # The program sends numbers of MPI_INT alone.
    checks.equal("bytes of each pair", dict(found.sent), {pair: INT * n for pair, n in trace.sent.items()})
    times = [record[0] for record in found.records]
    checks.true("order of records", times == sorted(times), "records are not sorted by time")
    checks.true("begin and end", min(times) >= 0 and max(times) <= found.duration, str(max(times)))
    # Clocks count in whole nanoseconds: each call may be one off.
    for function, total in trace.times.items():
        calls = sum(c[function] for c in found.calls)
        sum_found = sum(t[function] for t in found.times)
        checks.true(f"time in {function}", abs(sum_found - total) <= calls, f"{sum_found} for {total}")
    last = {rank: max(r[0] for r in found.records if r[2] == rank and r[1] == 2) for rank in range(found.ranks)}
    checks.equal("states fill the time of each rank", dict(found.states), last)


def compare_calls(checks: Checks, found: prv.Trace) -> None:
    """What calls.c does on four ranks, as one reads it there."""
    steps = 6
    world = (0, 1, 2, 3)
    for rank in range(4):
        column = tuple(r for r in world if r % 2 == rank % 2)
        checks.equal(f"collectives of rank {rank}",
                     {key[1:]: n for key, n in found.collectives.items() if key[0] == rank},
                     {("MPI_Allreduce", DOUBLE, DOUBLE, 0, column): steps,
                      ("MPI_Iallreduce", DOUBLE, DOUBLE, 0, world): steps,
                      ("MPI_Bcast", DOUBLE, 0, 1, column) if rank < 2 else ("MPI_Bcast", 0, DOUBLE, 0, column): steps,
                      ("MPI_Reduce", 0, DOUBLE, 1, world) if rank == 3 else ("MPI_Reduce", DOUBLE, 0, 0, world): steps})
    checks.equal("call paths of MPI_Irecv", {path for function, path in found.callers if function == "MPI_Irecv"},
                 {("exchange", "main"), ("pass_on", "main")})
    # Both neighbors in a row, with tag 1; the next rank of a column, with tag 7.
    checks.equal("tags", dict(found.tags), Counter({((r, r ^ 1), 1): steps for r in world}) +
                 Counter({((r, (r + 2) % 4), 7): steps for r in world}))


def compare_part(checks: Checks, options, first: Path, whole: prv.Trace, folder: Path) -> None:
    middle = whole.duration // 2
    part = folder / "part.prv"
    run(options.reprise, "export", first, "--format", "paraver", "-o", part, "--ranks", "1-2", "--from", f"{middle}ns")
    found = prv.read(part)
    checks.equal("ranks of the part", {rank for _, kind, rank in found.records if kind == 2}, {1, 2})
    checks.true("times of the part", all(time >= middle for time, _, _ in found.records), "")
    checks.true("messages of the part", all({a, b} <= {1, 2} for a, b in found.messages), str(found.messages))


def without_communicators(calls: list[Counter]) -> list[dict]:
    return [{f: n for f, n in c.items() if f not in OF_COMMUNICATORS} for c in calls]


def compare_import(checks: Checks, reprise: str, source: prv.Trace, path: Path) -> None:
    trace = trace_text.read(reprise, path)
    checks.equal("imported calls", without_communicators(trace.calls), without_communicators(source.calls))
    # Three communicators of each rank, in three calls.
    checks.equal("calls that make communicators", [c["MPI_Comm_split"] for c in trace.calls], [3] * source.ranks)
    checks.equal("imported messages", dict(trace.messages), dict(source.messages))
    checks.equal("imported bytes", dict(trace.sent), dict(source.sent))
    checks.equal("received bytes", dict(trace.received), dict(source.sent))
    checks.equal("time in MPI [ns]", sum(trace.times.values()), sum(sum(t.values()) for t in source.times))


def round_trip(checks: Checks, reprise: str, folder: Path, source: prv.Trace) -> None:
    """What has been through Paraver once comes through it unchanged, whatever the times."""
    once, twice = folder / "once.reprise", folder / "twice.reprise"
    run(reprise, "import", folder / "first.prv", "-o", once, "--time-precision", "0")
    compare_import(checks, reprise, source, once)
    run(reprise, "export", once, "--format", "paraver", "-o", folder / "again.prv")
    run(reprise, "import", folder / "again.prv", "-o", twice)
    diff = subprocess.run([reprise, "diff", once, twice], capture_output=True, text=True, check=False)
    checks.true("diff of export and import", diff.returncode == 0 and " are equal: " in diff.stdout, diff.stdout)
    info = json.loads(run(reprise, "info", "--json", twice))
    checks.true("info", info["options"].startswith("imported from Paraver"), str(info["options"]))


def main() -> int:
    parser = options_parser(__doc__)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, exported = folder / "first.reprise", folder / "first.prv"
        record(options, first)
        run(options.reprise, "export", first, "--format", "paraver", "-o", exported)
        trace, found = trace_text.read(options.reprise, first), prv.read(exported)
        compare_export(checks, trace, found)
        compare_calls(checks, found)
        round_trip(checks, options.reprise, folder, found)
        compare_part(checks, options, first, found, folder)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
