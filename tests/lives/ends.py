#!/usr/bin/env python3
"""Programs that end early, in many ways: what was recorded until then becomes a trace, and the rest passes through.

The trace of each rank must be a beginning of its plain log, or as long as theory says where the rank could save itself.
The call that a rank was in is behind it.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402
from walk import losses, split_unfinished, walk  # noqa: E402

RANKS = 4
CUT = "ranks cut short at their last checkpoint"
BEHIND = "calls after the last checkpoint of their rank"
# How rank 1 ends: whether it saves itself, and whether the launcher lets the others do so (MPICH's never does).
SAVES_ITSELF = {"abort": True, "segv": True, "fault": True, "term": True, "assert": True, "throw": True, "overflow": True, "inside": True}
SAVES_ITSELF |= {"exit": True, "kill": False, "_exit": False}

PASSED_ON = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
LISTENER = """
import os, signal
signals = {signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
print("ready", flush=True)
print(signal.Signals(signal.sigwait(signals)).name, flush=True)
os.kill(os.getpid(), signal.SIGALRM)
"""
# The status of rank 1, or the signal that ends it.
STATUS = {"abort": 3, "segv": 11, "fault": 11, "term": 15, "assert": 6, "throw": 6, "exit": 5, "kill": 9, "_exit": 6, "overflow": 11, "inside": 11}


def comparable(lines: list[str]) -> list[str]:
    """Calls without the communicators, which have other names in a log."""
    return [" ".join(word for word in line.split() if not word.startswith("comm=")) for line in lines]


def check_streams(checks: Checks, name: str, reprise: str, trace: Path, flat: Path) -> list[int]:
    """How many calls that returned each rank has in the trace."""
    calls = []
    for rank in range(RANKS):
        walked, unfinished = split_unfinished(walk(reprise, trace, rank))
        log = flat / f"rank-{rank}-thread-0.log"
        logged = log.read_text().splitlines() if log.exists() else []
        checks.equal(f"{name}: rank {rank}", comparable(walked), comparable(logged)[: len(walked)])
        calls.append(len(walked))
        # Rank 1 ends outside of MPI, or by MPI_Abort, which counts as done where it begins. Others are in their
        # last barrier then, or about to be, or have not left the call by which they heard of all checkpoints.
        within = [line.split()[0] for line in unfinished]
        possible = [["MPI_Allreduce"] if name == "inside" else []] if rank == 1 else [[], ["MPI_Allreduce"], ["MPI_Barrier"]]
        if rank == 1 and name == "abort":
            checks.equal("abort: the last call of rank 1", [line.split()[0] for line in walked[-1:]], ["MPI_Abort"])
        checks.true(f"{name}: what rank {rank} is in", within in possible, f"{within}, not of {possible}")
    return calls


def check_death(checks: Checks, options: argparse.Namespace, trace: Path, way: str, said: str) -> None:
    """The trace has the signal that ended rank 1, and where that was; so do the messages. It is first, before those that the launcher ended."""
    info = [options.reprise, "info", str(trace)]
    died = json.loads(launch.run([*info, "--json"], None).stdout)["died"]
    mine = [death for death in died if 1 in death["ranks"]]
    accounted = sorted(rank for death in died for rank in death["ranks"])
    checks.equal(f"{way}: every rank is accounted for", accounted, list(range(RANKS)))
    if not checks.equal(f"{way}: one death of rank 1", len(mine), 1):
        return
    death = mine[0]
    if not SAVES_ITSELF[way]:
        checks.equal(f"{way}: no signal is known", (death["cause"], death["signal"]), ("unknown", None))
        for where, text in (("record", said), ("info", launch.run(info, None).stdout)):
            words = re.search(r"ranks? [\d. ]+ ended abruptly \(SIGKILL, or _exit\) outside MPI, after ", text)
            checks.true(f"{way}: {where} says so", words is not None, text)
        return
    if way == "abort":
        wanted, words = ("MPI_Abort", None, "in call", "MPI_Abort"), "called MPI_Abort at "
    elif way == "exit":
        wanted, words = ("exit", None, "after call", "MPI_Allreduce"), "rank 1 exited outside MPI, after MPI_Allreduce at "
    else:
        where, inside = ("in call", "in MPI_Allreduce at ") if way == "inside" else ("after call", "outside MPI, after MPI_Allreduce at ")
        name = {6: "aborted", 11: "segmentation fault", 15: "terminated"}[STATUS[way]]
        wanted, words = ("signal", STATUS[way], where, "MPI_Allreduce"), f"died of signal {STATUS[way]} ({name}) {inside}"
    checks.equal(f"{way}: how rank 1 died", (death["cause"], death["signal"], death["where"], death["function"]), wanted)
    checks.true(f"{way}: the line of it", "ends.cpp:" in death["callpath"], str(death))
    if way != "term":  # which is what launchers send, too
        checks.equal(f"{way}: its own doing is first", died[0], death)
    for where, text in (("record", said), ("info", launch.run(info, None).stdout)):
        checks.true(f"{way}: {where} says so", words in text, text)


def check_every_call(checks: Checks, name: str, reprise: str, trace: Path, begun: int, last: str) -> None:
    """Each rank has begun so many calls: they are in the trace, or it says how many are missing; only the last may be in flight."""
    ranks = [split_unfinished(walk(reprise, trace, rank)) for rank in range(RANKS)]
    present = [len(finished) + len(unfinished) for finished, unfinished in ranks]
    missing = losses(reprise, trace).get(BEHIND, 0)
    checks.equal(f"{name}: calls in the trace and missing", (sum(present) + missing, max(present) <= begun), (RANKS * begun, True))
    within = {line.split()[0] for _, unfinished in ranks for line in unfinished}
    checks.true(f"{name}: what ranks are in", within <= {last}, str(within))


def check_end(checks: Checks, options: argparse.Namespace, folder: Path, way: str) -> None:
    trace, flat = folder / f"{way}.reprise", folder / way
    # Only what a killed rank has written down before is left of it.
    command = launch.command(options.mpi, RANKS, [options.program, way, "2"])
    run = launch.run([options.reprise, "record", "-o", str(trace), "--flat", str(flat), "--", *command], options.waiting)
    alone = launch.run(launch.command(options.mpi, RANKS, [options.program, way]), options.waiting)
    possible = {alone.returncode}
    if options.mpi == "mpich":  # its launcher unites the statuses of those that it comes to see, some of which it has killed
        possible = {STATUS[way], signal.SIGKILL.value, STATUS[way] | signal.SIGKILL}
    checks.true(f"{way}: status", run.returncode in possible, f"{run.returncode}, not of {possible}")
    lines = [line for line in run.stderr.splitlines() if line.startswith("reprise:")]
    checks.true(f"{way}: one line that says so", len(lines) == 1 and "ended before MPI_Finalize" in lines[0], run.stderr)
    if not checks.true(f"{way}: a trace", trace.exists(), run.stdout + run.stderr):
        return
    check_death(checks, options, trace, way, run.stderr)
    calls = check_streams(checks, way, options.reprise, trace, flat)
    checks.true(f"{way}: every rank has come past its first checkpoint", min(calls) > 11, str(calls))
    cut = losses(options.reprise, trace).get(CUT, 0)
    fewest, most = (0, RANKS - 1) if SAVES_ITSELF[way] else (1, RANKS)
    checks.true(f"{way}: {cut} ranks cut short", fewest <= cut <= most, str(losses(options.reprise, trace)))
    if cut:
        words = "1 rank cut short at its last checkpoint" if cut == 1 else f"{cut} {CUT}"
        checks.true(f"{way}: said", words in run.stderr, run.stderr)
    info = [options.reprise, "info", str(trace)]
    named = json.loads(launch.run([*info, "--json"], None).stdout)["cut_short_at_checkpoint"]
    checks.equal(f"{way}: as many ranks are named", len(named), cut)
    if cut == 1:
        words = rf"rank {named[0]} at its last checkpoint: [\d,]+ calls? after it (are|is) not in the trace"
        said = launch.run(info, None).stdout
        checks.true(f"{way}: info names it", re.search(words, said) is not None, said)
    checks.equal(f"{way}: nothing else is left", sorted(p.name for p in folder.glob(f"{way}*")), [way, trace.name])


def check_all_return(checks: Checks, options: argparse.Namespace, folder: Path) -> None:
    """All ranks return from main without MPI_Finalize: ten barriers and MPI_Init each, where the launcher lets them."""
    trace = folder / "return.reprise"
    command = launch.command(options.mpi, RANKS, [options.program, "return"])
    run = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], options.waiting)
    # MPICH's launcher kills those that it finds late.
    checks.true("return: status", run.returncode in (7, 128 + 9, 9), str(run.returncode))
    # The first that returned had come out of the last barrier: all others were in it, or behind it.
    check_every_call(checks, "return", options.reprise, trace, 11, "MPI_Barrier")
    calls = [len(walk(options.reprise, trace, rank)) for rank in range(RANKS)]
    checks.equal("return: a rank that saves itself", max(calls), 11)


def check_good_end(checks: Checks, options: argparse.Namespace, folder: Path) -> None:
    trace = folder / "status.reprise"
    command = launch.command(options.mpi, RANKS, [options.program, "status"])
    recorded = [options.reprise, "record", "-o", str(trace), "--", *command]
    run, alone = launch.run(recorded, options.waiting), launch.run(command, options.waiting)
    checks.equal("status 3", run.returncode, 3)
    checks.equal("status 3: output", run.stdout, alone.stdout)
    # Open MPI's launcher says which of the ranks it found first.
    said = [[line for line in r.stderr.splitlines() if "rank" not in line.lower() and "Process name" not in line] for r in (run, alone)]
    checks.equal("status 3: errors", *said)
    checks.true("status 3: nothing is added", "reprise" not in run.stderr, run.stderr)
    checks.equal("status 3: no parts", sorted(p.name for p in folder.glob("status*")), [trace.name])
    checks.equal("status 3: nothing is lost", losses(options.reprise, trace), {})


def check_signal(checks: Checks, options: argparse.Namespace, folder: Path, number: signal.Signals) -> None:
    """A signal that `reprise record` gets goes to the launcher, which deals with it as it would alone."""
    trace = folder / f"{number.name}.reprise"
    command = launch.command(options.mpi, RANKS, [options.program, "wait"])
    status, errors = {}, {}
    for what, words in {"recorded": [options.reprise, "record", "-o", str(trace), "--", *command], "alone": command}.items():
        with subprocess.Popen(
            words, env=launch.environment(options.waiting), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as run:
            assert run.stdout
            run.stdout.readline()
            run.send_signal(number)
            errors[what] = run.communicate(timeout=60)[1]
        status[what] = run.returncode
    # A launcher that a signal has ended has no status; a shell says 128 + the signal.
    wanted = status["alone"] if status["alone"] >= 0 else 128 - status["alone"]
    # MPICH's has the status of a rank, which ends by this signal, by SIGKILL or not at all; alone it is a matter of luck too.
    luck = {0, int(number), int(signal.SIGKILL)}
    either = luck if options.mpi == "mpich" and wanted in luck else {wanted}
    checks.true(f"{number.name}: status", status["recorded"] in either, f"{status['recorded']}, alone {wanted}")
    checks.true(f"{number.name}: a trace", trace.exists(), errors["recorded"])
    if trace.exists():
        # Rank 1 had come out of the barrier when it said so.
        check_every_call(checks, number.name, options.reprise, trace, 12, "MPI_Barrier")


def check_passed_on(checks: Checks, options: argparse.Namespace, folder: Path, number: signal.Signals) -> None:
    """A command that says which signal it got, and is then ended by another one."""
    command = [sys.executable, "-c", LISTENER]
    words = [options.reprise, "record", "-o", str(folder / "none"), "--mpi", options.mpi, "--", *command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout
        run.stdout.readline()
        run.send_signal(number)
        said = run.communicate(timeout=60)[0]
    checks.equal(f"{number.name}: passed on", said, f"{number.name}\n")
    checks.equal(f"{number.name}: status of a command that a signal ends", run.returncode, 128 + signal.SIGALRM)


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--only", help="one of the ways to end, or of the signals")
    parser.add_argument("program")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if options.only in SAVES_ITSELF:
            check_end(checks, options, folder, options.only)
        elif options.only == "signals":
            check_signal(checks, options, folder, signal.SIGTERM)
            for number in PASSED_ON:
                check_passed_on(checks, options, folder, number)
        else:
            check_all_return(checks, options, folder)
            check_good_end(checks, options, folder)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
