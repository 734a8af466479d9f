#!/usr/bin/env python3
"""Signals that come together, to threads, or to a program that handles them: the trace has every call, and the program goes on or ends as without the recorder."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402
from walk import losses, walk  # noqa: E402

CALLS = 50_000
# By way: ranks, the signal that ends the process, threads, and the fewest and the most calls of MPI_Send in the last rank.
WAYS = {
    "handled": (2, 0, 1, 7, 7),
    "handled_killed": (1, 9, 1, 0, 7),
    "twice": (1, 15, 1, CALLS, CALLS),
    "both": (1, 15, 1, CALLS, CALLS),
    "truncated": (1, 0, 1, 0, 0),
    "exits": (1, 11, 1, CALLS, CALLS),
    "restored": (1, 11, 1, CALLS, CALLS),
    "jumps": (2, 0, 2, 3 * CALLS, 3 * CALLS),
    "at_exit": (2, 0, 1, 0, 0),
    "beside": (1, 11, 2, CALLS, None),
    "threads": (1, 15, 4, CALLS, 3 * CALLS),
}
BEHIND = "calls after the last checkpoint of their rank"
CUT_SHORT = "ranks cut short at their last checkpoint"


def check_aborts(checks: Checks, options: argparse.Namespace, folder: Path) -> None:
    """All ranks call MPI_Abort at once: one of them, at least, before the launcher ends it."""
    trace = folder / "app.reprise"
    command = launch.command(options.mpi, 2, [options.program, "aborts"])
    run = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], options.waiting, 60)
    checks.true("status", run.returncode in (3, 9, 11, 137), f"{run.returncode}\n{run.stderr}")
    if checks.true("a trace", trace.exists(), run.stderr):
        last = [calls[-1].split()[0] for calls in (walk(options.reprise, trace, rank) for rank in range(2)) if calls]
        checks.true("MPI_Abort", "MPI_Abort" in last, str(last))
        checks.true("said", "called MPI_Abort at " in run.stderr, run.stderr)


def check_stopped(checks: Checks, options: argparse.Namespace, folder: Path) -> None:
    """The launcher and the ranks are sent a signal, and the launcher ends the ranks: by timeout(1), or from a terminal."""
    for number, prefix in ((signal.SIGTERM, ["timeout", "600"]), (signal.SIGINT, [])):
        trace = folder / f"{number.name}.reprise"
        command = [*prefix, *launch.command(options.mpi, 2, [options.program, "waits"])]
        words = [options.reprise, "record", "-o", str(trace), "--mpi", options.mpi, "--", *command]
        env, pipe = launch.environment(options.waiting), subprocess.PIPE
        with subprocess.Popen(words, env=env, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as run:
            assert run.stdout
            run.stdout.readline()
            if prefix:
                run.send_signal(number)  # which it passes on
            else:
                os.killpg(run.pid, number)
            said = run.communicate(timeout=60)[1]
        if not checks.true(f"{number.name}: a trace", trace.exists(), said):
            continue
        lost = losses(options.reprise, trace)
        # MPICH's launcher kills ranks before they have saved themselves; Open MPI's ends before them at a second signal,
        # as timeout(1) sends it.
        checks.true(f"{number.name}: losses", set(lost) <= {BEHIND, CUT_SHORT}, str(lost))
        calls = sum(line.startswith("MPI_Send") for rank in range(2) for line in walk(options.reprise, trace, rank))
        checks.true(f"{number.name}: calls", 2 * CALLS - lost.get(BEHIND, 0) <= calls <= 2 * CALLS, f"{calls}, {lost}")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--only", required=True, choices=[*WAYS, "aborts", "stopped"])
    parser.add_argument("program")
    options = parser.parse_args()
    way = options.only
    checks = Checks()
    if way in ("aborts", "stopped"):
        with tempfile.TemporaryDirectory() as scratch:
            (check_aborts if way == "aborts" else check_stopped)(checks, options, Path(scratch))
        return checks.status()
    ranks, number, threads, fewest, most = WAYS[way]
    if way.startswith("handled"):  # Open MPI handles SIGABRT where the program ignores it
        os.environ["OMPI_MCA_opal_signal"] = str(int(signal.SIGBUS))
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "app.reprise"
        command = launch.command(options.mpi, ranks, [options.program, way])
        run = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], options.waiting, 60)
        said = run.stdout + run.stderr
        # A second signal may come before the handler of the first has begun.
        numbers = (number, signal.SIGINT) if way == "both" else (number,) if number else ()
        checks.true("status", run.returncode % 128 in (numbers or (0,)), f"{run.returncode}\n{said}")
        if way == "exits":
            checks.true("functions of atexit", "the end" in said, said)
        if not checks.true("a trace", trace.exists(), said):
            return checks.status()
        checks.equal("nothing else is left", sorted(p.name for p in Path(scratch).iterdir()), [trace.name])
        lost = losses(options.reprise, trace)
        died = json.loads(launch.run([options.reprise, "info", "--json", str(trace)], None).stdout)["died"]
        if way == "handled_killed":  # of SIGKILL no trace is left
            checks.equal("no signal is known", [(death["cause"], death["signal"]) for death in died], [("unknown", None)])
            return checks.status()
        told = [death["signal"] for death in died]
        checks.true("the signal", told in [[n] for n in numbers] if numbers else not told, str(told))
        checks.equal("losses", lost, {})
        lines = [line for t in range(threads) for line in walk(options.reprise, trace, ranks - 1, t)]
        sends = sum(line.startswith("MPI_Send") for line in lines)
        checks.true("calls", fewest <= sends and (most is None or sends <= most), f"{sends}, not {fewest} to {most}")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
