#!/usr/bin/env python3
"""Where traces go: one for each rank, in place of earlier ones, and where there is no room for them.

A limit on the size of files stands for a full disk.
"""

import argparse
import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402
from walk import losses, walk  # noqa: E402

RANKS = 4
UNWRITTEN = "the trace was not written in MPI_Finalize"


class Recording(Checks):
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        super().__init__()
        self.options, self.folder = options, folder

    def record(self, *words: str, way: str = "well", ranks: int = RANKS, checkpoints: int = 0) -> subprocess.CompletedProcess[str]:
        command = launch.command(self.options.mpi, ranks, [self.options.program, way, str(checkpoints)])
        return launch.run([self.options.reprise, "record", *words, "--", *command], self.options.waiting)

    def calls(self, trace: Path, rank: int) -> int:
        return len(walk(self.options.reprise, trace, rank))

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


def check_each_rank(r: Recording) -> None:
    output = r.folder / "each"
    run = r.record("--merge", "none", "-o", str(output))
    r.equal("each: status and errors", (run.returncode, run.stderr), (0, ""))
    r.equal("each: files", r.files(), [f"each.{rank}" for rank in range(RANKS)])
    whole = r.folder / "whole"
    r.record("-o", str(whole))
    for rank in range(RANKS):
        trace = r.folder / f"each.{rank}"
        r.equal(f"each: rank {rank} as in one trace", walk(r.options.reprise, trace, rank), walk(r.options.reprise, whole, rank))
        r.equal(f"each: nothing of others in {rank}", [r.calls(trace, o) for o in range(RANKS) if o != rank], [0] * (RANKS - 1))
        r.equal(f"each: said by {rank}", losses(r.options.reprise, trace), {"ranks with traces of their own": RANKS - 1})
    facts = json.loads(launch.run([r.options.reprise, "info", "--json", str(r.folder / "each.1")], None).stdout)
    r.equal("each: whose trace it is", (facts["only_rank"], facts["ranks"], facts["cut_short"], facts["without_calls"]), (1, RANKS, [], []))
    info = launch.run([r.options.reprise, "info", str(r.folder / "each.1")], None).stdout
    where = f"this is the trace of rank 1 of {RANKS}; those of the others are {output}.RANK"
    r.true("each: info says so", where in info and "cut short" not in info and "a rank)" not in info, info)
    shown = subprocess.run([r.options.reprise, "show", r.folder / "each.1"], capture_output=True, text=True, check=True).stdout
    r.true("each: program and places", r.options.program in shown and "ends.cpp:" in shown, shown)
    whole.unlink()

    refused = r.record("--merge", "none", "-o", str(output))
    r.true("each: exists", refused.returncode == 1 and "each.0 exists" in refused.stderr, refused.stderr)
    fewer = r.record("--merge", "none", "--force", "-o", str(output), ranks=2)
    r.equal("each: fewer ranks replace all", (fewer.returncode, r.files()), (0, ["each.0", "each.1"]))


def check_full(r: Recording) -> None:
    output, flat = r.folder / "full", r.folder / "log"
    run = r.record("-o", str(output), "--flat", str(flat), way="full", checkpoints=1)
    r.equal("full: the program is not disturbed", run.stdout, "the disk is full\n")
    said = [line for line in run.stderr.splitlines() if line]
    r.true("full: what to do", f"  reprise merge -o {output} {output}.part-*" in said and f"{RANKS} of {RANKS} parts remain" in run.stderr, run.stderr)
    said = [line for line in said if line.startswith("reprise: ")]
    r.equal("full: three lines", len(said), 3)
    r.equal("full: the log", sum("the flat log is cut short (File too large)" in line for line in said), 1)
    r.equal("full: the trace", sum(f"the trace {output} cannot be written" in line for line in said), 1)
    r.true("full: what became of it", UNWRITTEN in said[-1] and f"{RANKS} ranks cut short" in said[-1], run.stderr)
    r.equal("full: status", run.returncode, 1)
    r.true("full: what there is", all(11 <= r.calls(output, rank) for rank in range(RANKS)), "other calls")
    r.equal("full: files", r.files(), ["each.0", "each.1", "full", "log"])

    before = output.read_bytes()
    run = r.record("-o", str(output), "--force", "--checkpoints", "none", way="full")
    r.true("full: no checkpoints", run.returncode == 1 and "there is no trace" in run.stderr, run.stderr)
    r.equal("full: the earlier trace stays", output.read_bytes(), before)
    run = r.record("--merge", "none", "-o", str(r.folder / "none"), way="full")
    r.equal("full, each: said once", run.stderr.count("cannot be written"), 1)
    r.true("full, each: what became of it", UNWRITTEN in run.stderr and run.returncode == 1, run.stderr)


def check_appearing(r: Recording) -> None:
    """A file that appears at the output while the program runs stays as it is, unless --force says otherwise."""
    output, beside = r.folder / "appears", r.folder / "appears.job-2"
    run = r.record("-o", str(output), way=f"create:{output}")
    r.equal("appears: status", run.returncode, 1)
    r.equal("appears: it stays", output.read_text(), "somebody\n")
    r.true("appears: said", f"the trace is {beside}" in run.stderr, run.stderr)
    r.equal("appears: the trace", r.calls(beside, 0), r.calls(r.folder / "each.0", 0))
    r.equal("appears: files", [name for name in r.files() if name.startswith("appears")], [output.name, beside.name])
    beside.unlink()
    run = r.record("-o", str(output), "--force", way=f"create:{output}")
    r.equal("appears, --force: status and errors", (run.returncode, run.stderr), (0, ""))
    r.equal("appears, --force: the trace", r.calls(output, 0), r.calls(r.folder / "each.0", 0))
    r.equal("appears, --force: files", [name for name in r.files() if name.startswith("appears")], [output.name])


def check_two_at_once(r: Recording) -> None:
    """Two recordings with one output: each has its trace, and nothing else is left."""
    output = r.folder / "both"
    command = launch.command(r.options.mpi, RANKS, [r.options.program, "well"])
    # Neither program begins before both commands have found the output free.
    meet = f'touch {r.folder}/met-$$; while [ $(ls {r.folder}/met-* | wc -l) -lt 2 ]; do sleep 0.05; done; exec "$@"'
    words = [r.options.reprise, "record", "-o", str(output), "--mpi", r.options.mpi, "--", "sh", "-c", meet, "sh", *command]
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: launch.run(words, r.options.waiting), range(2)))
    r.equal("both: status", sorted(run.returncode for run in runs), [0, 1])
    r.equal("both: files", [name for name in r.files() if name.startswith("both")], ["both", "both.job-2"])
    r.true("both: said once", sum(f"the trace is {output}.job-2" in run.stderr for run in runs) == 1, str(runs))
    wanted = r.calls(r.folder / "each.0", 0)
    r.equal("both: the traces", [r.calls(r.folder / name, 0) for name in ("both", "both.job-2")], [wanted, wanted])


def check_killed_command(r: Recording) -> None:
    """`reprise record` is killed: what it made for itself goes all the same."""
    output = r.folder / "killed"
    words = [r.options.reprise, "record", "-o", str(output), "--mpi", r.options.mpi, "--", "sh", "-c", "echo begun; sleep 3"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True) as run:
        assert run.stdout
        run.stdout.readline()
        r.equal("killed: its folder", len(list(r.folder.glob("killed.claim-*"))), 1)
        run.kill()
    end = time.monotonic() + 60
    while list(r.folder.glob("killed*")) and time.monotonic() < end:
        time.sleep(0.05)
    r.equal("killed: what is left", list(r.folder.glob("killed*")), [])


def check_deleted_folder(r: Recording) -> None:
    """The folder of the output is removed while the program runs: what was recorded is kept elsewhere."""
    folder, elsewhere = r.folder / "deleted", r.folder / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    words = [r.options.reprise, "record", "--print-env", "--mpi", r.options.mpi, "-o", str(folder / "trace")]
    command = launch.command(r.options.mpi, RANKS, [r.options.program, f"remove:{folder}"])
    script = f'export TMPDIR={elsewhere}; eval "$({" ".join(words)})"; exec {" ".join(command)}'
    run = launch.run(["sh", "-c", script], r.options.waiting)
    r.equal("deleted: status", run.returncode, 0)
    parts = sorted(elsewhere.glob("trace-????????.part-*"))
    r.true("deleted: said", f"  reprise merge -o {folder / 'trace'} {pattern_of(parts)}" in run.stderr.splitlines(), run.stderr)
    merged = launch.run([r.options.reprise, "merge", "-o", str(r.folder / "found"), *map(str, parts)], None)
    r.equal("deleted: merged", (len(parts), merged.returncode, merged.stderr), (RANKS, 0, ""))
    r.equal("deleted: calls", r.calls(r.folder / "found", 1), r.calls(r.folder / "each.1", 1))


def check_crash_in_deleted_folder(r: Recording) -> None:
    """The same, and then a rank dies: its part is kept elsewhere, which is said."""
    folder, elsewhere = r.folder / "vanished", r.folder / "else"
    folder.mkdir()
    elsewhere.mkdir()
    words = [r.options.reprise, "record", "--print-env", "--mpi", r.options.mpi, "-o", str(folder / "trace")]
    command = launch.command(r.options.mpi, RANKS, [r.options.program, f"vanish:{folder}"])
    run = launch.run(["sh", "-c", f'export TMPDIR={elsewhere}; eval "$({" ".join(words)})"; exec {" ".join(command)}'], r.options.waiting)
    part = next(elsewhere.glob("trace-????????.part-1"))
    r.true("vanished: said", f"reprise: the part of rank 1 is {part} " in run.stderr, run.stderr)
    merged = launch.run([r.options.reprise, "merge", "-o", str(r.folder / "crashed"), str(part)], None)
    r.equal("vanished: merged", (merged.returncode, "signal 11" in merged.stdout + merged.stderr), (0, True))


def check_other_mpi(r: Recording) -> None:
    """The environment of another MPI: the program runs as ever, and the recorder says once why there is no trace."""
    other = {"openmpi": "mpich", "mpich": "openmpi"}[r.options.mpi]
    words = [r.options.reprise, "record", "--print-env", "--mpi", other, "-o", str(r.folder / "other")]
    environment = subprocess.run(words, capture_output=True, text=True, check=False)
    if environment.returncode != 0:
        return  # there is no recorder for it
    command = " ".join(launch.command(r.options.mpi, RANKS, [r.options.program, "status"]))
    plain = launch.run(["sh", "-c", command], r.options.waiting)
    run = launch.run(["sh", "-c", f"{environment.stdout}\n{command}"], r.options.waiting)
    r.equal("other MPI: status and output", (run.returncode, run.stdout), (plain.returncode, plain.stdout))
    said = [line for line in run.stderr.splitlines() if line.startswith("reprise: ")]
    r.true("other MPI: said once", len(said) == 1 and f"record with --mpi {r.options.mpi}" in said[0], run.stderr)
    r.equal("other MPI: files", [name for name in r.files() if name.startswith("other")], [])


def check_moved_parts(r: Recording) -> None:
    """The same within `reprise record`: it finds the parts, and the command that it says makes a trace of them."""
    folder, elsewhere = r.folder / "moved", r.folder / "room"
    folder.mkdir()
    elsewhere.mkdir()
    other = elsewhere / "trace-01234567.part-0"  # of an output of the same name in another folder
    other.write_bytes(b"")
    output = folder / "trace"
    command = launch.command(r.options.mpi, RANKS, [r.options.program, f"remove:{folder}"])
    words = [r.options.reprise, "record", "-o", str(output), "--mpi", r.options.mpi, "--", *command]
    script = f'export TMPDIR={elsewhere}; cd {r.folder}; exec "$@"'
    run = launch.run(["sh", "-c", script, "sh", *words], r.options.waiting)
    said = run.stderr.splitlines()
    parts = sorted(path for path in elsewhere.iterdir() if path != other)
    r.equal("moved: status", run.returncode, 1)
    r.true("moved: nothing that is false", "no MPI call was recorded" not in run.stderr, run.stderr)
    r.equal("moved: what to do", said[-1].strip(), f"reprise merge -o trace {pattern_of(parts)}")
    folder.mkdir()
    again = launch.run(["sh", "-c", script, "sh", *words], r.options.waiting)
    r.equal("moved: not replaced", (again.returncode, f"{pattern_of(parts)} exist" in again.stderr), (1, True))
    folder.rmdir()
    merge = said[-1].strip().replace("reprise", r.options.reprise, 1)
    merged = launch.run(["sh", "-c", f"cd {r.folder}; {merge}"], None)
    r.equal("moved: that works", (merged.returncode, merged.stderr), (0, ""))
    r.equal("moved: calls", r.calls(r.folder / "trace", 1), r.calls(r.folder / "each.1", 1))
    for part in parts:
        part.unlink()
    other.unlink()


def pattern_of(parts: list[Path]) -> str:
    """What matches parts that were moved, with all ranks."""
    return f"{str(parts[0]).removesuffix('-0')}-*"


def check_killed_early(r: Recording) -> None:
    """Every rank is killed, most likely before its first checkpoint: a trace without calls replaces none that has some."""
    output = r.folder / "early"
    r.record("-o", str(output))
    before = output.read_bytes()
    run = r.record("-o", str(output), "--force", way="killed")
    after = output.read_bytes()
    calls = json.loads(launch.run([r.options.reprise, "info", "--json", str(output)], None).stdout)["calls"]
    r.true("early: a trace with calls", calls > 0, run.stderr)
    if after == before:
        r.true("early: said", f"{output} is not replaced" in run.stderr and f"merge -o {output}.new {output}.part-*" in run.stderr, run.stderr)
    for left in r.folder.glob("early*"):
        left.unlink()


def check_outlived(r: Recording) -> None:
    """The command ends before the ranks, which its launcher outlives in the background: what they do then is in the trace."""
    for end, calls in (("finish", 33), ("return", 31)):
        output, mark = r.folder / f"outlived-{end}", r.folder / f"mark-{end}"
        command = launch.command(r.options.mpi, RANKS, [r.options.program, f"outlive:{mark}", end])
        script = f'echo $$ > {mark}.pid; "$@" & while [ ! -e {mark}.begun ]; do sleep 0.05; done'
        words = [r.options.reprise, "record", "-o", str(output), "--mpi", r.options.mpi, "--", "sh", "-c", script, "sh", *command]
        with ThreadPoolExecutor(1) as pool:
            recording = pool.submit(launch.run, words, r.options.waiting)
            while not Path(f"{mark}.begun").exists() and not recording.done():
                time.sleep(0.05)
            shell = Path("/proc") / Path(f"{mark}.pid").read_text().strip()
            while shell.exists():
                time.sleep(0.05)
            Path(f"{mark}.over").touch()
            run = recording.result()
        said = [line for line in run.stderr.splitlines() if line.startswith("reprise:")]
        r.equal(f"outlived, {end}: status", run.returncode, 0)
        r.true(f"outlived, {end}: said", ["ended before MPI_Finalize" in line for line in said] == [True] * (end == "return"), run.stderr)
        lost = losses(r.options.reprise, output).get("calls after the last checkpoint of their rank", 0)
        r.equal(f"outlived, {end}: calls in the trace and missing", sum(r.calls(output, rank) for rank in range(RANKS)) + lost, RANKS * calls)
        r.equal(f"outlived, {end}: nothing else is left", [name for name in r.files() if name.startswith("outlived")], [output.name])
        output.unlink()


def check_still_running(r: Recording) -> None:
    """Ranks run on in the background, and end while `reprise record` says so: the parts, of which it says that they remain, do."""
    output, mark = r.folder / "running", r.folder / "mark-running"
    command = launch.command(r.options.mpi, RANKS, [r.options.program, f"outlive:{mark}", "return"])
    # Nothing of the run is to wait for the reader of errors.
    script = f'exec 2>/dev/null; "$@" & while [ ! -e {mark}.begun ]; do sleep 0.05; done'
    words = [r.options.reprise, "record", "-o", str(output), "--mpi", r.options.mpi, "--", "sh", "-c", script, "sh", *command]
    reader, writer = os.pipe()
    # It is full: the first message waits until somebody reads.
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"\n" * 4096)
    os.set_blocking(writer, True)
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, env=launch.environment(r.options.waiting), stdin=quiet, stdout=quiet, stderr=writer) as run:
        os.close(writer)
        # The trace of what there is until now. It is written before anything is said of it.
        while not output.exists() and run.poll() is None:
            time.sleep(0.05)
        Path(f"{mark}.over").touch()
        while any(is_locked(part) for part in r.folder.glob("running.part-*")):
            time.sleep(0.05)
        with open(reader, encoding="utf-8") as file:
            said = file.read().lstrip("\n")
    r.equal("running: status", run.returncode, 1)
    r.true("running: said", said.startswith(f"reprise: ranks 0..{RANKS - 1} are still running 30 s after the command has ended; {output} has "), said)
    parts = [f"running.part-{rank}" for rank in range(RANKS)]
    r.equal("running: the parts remain", [name for name in r.files() if name.startswith("running")], ["running", *parts])
    merge = next(line.strip() for line in said.splitlines() if line.startswith("  reprise merge "))
    merged = launch.run(["sh", "-c", merge.replace("reprise", r.options.reprise, 1)], None)
    r.equal("running: what it says works", (merged.returncode, merged.stderr), (0, ""))
    whole = r.folder / "running.new"
    lost = losses(r.options.reprise, whole).get("calls after the last checkpoint of their rank", 0)
    r.equal("running: calls in the trace and missing", sum(r.calls(whole, rank) for rank in range(RANKS)) + lost, RANKS * 31)
    for left in r.folder.glob("running*"):
        left.unlink()


def check_without_locks(r: Recording) -> None:
    """Where the file system has no locks, nobody can see whether a rank that was killed still runs: that is said, and the parts remain."""
    source, library = r.folder / "no_locks.c", r.folder / "no_locks.so"
    source.write_text("#include <errno.h>\nint flock(int file, int how) { errno = ENOLCK; return -1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    command = launch.command(r.options.mpi, RANKS, [r.options.program, "kill", "1"])
    words = ["env", f"LD_PRELOAD={library}", r.options.reprise, "record", "-o", str(r.folder / "unlocked"), "--", *command]
    run = launch.run(words, r.options.waiting)
    r.true("unlocked: status", run.returncode != 0, run.stderr)
    ended = re.search(r"ranks? [\d. ]+ ended abruptly \(SIGKILL, or _exit\), or w(as|ere) still running, outside MPI, after ", run.stderr)
    r.true("unlocked: said of rank 1", ended is not None, run.stderr)
    r.true("unlocked: said of the parts", "cannot be seen from here" in run.stderr and "all parts remain" in run.stderr, run.stderr)
    parts = [f"unlocked.part-{rank}" for rank in range(RANKS)]
    r.equal("unlocked: the parts remain", [name for name in r.files() if name.startswith("unlocked")], ["unlocked", *parts])
    for left in r.folder.glob("unlocked*"):
        left.unlink()


def is_locked(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def check_no_room_for_names(r: Recording) -> None:
    """There is room for the trace of the recorder, but not for names of functions: it stays, and the command that adds them works."""
    def words(output: Path, *before: str) -> list[str]:
        command = launch.command(r.options.mpi, RANKS, [r.options.program, "well"])
        quiet = ["--time", "none", "--checkpoints", "none", "-o", str(output), "--mpi", r.options.mpi]
        # The limit is that of `reprise record`, and not of the program.
        return [*before, r.options.reprise, "record", *quiet, "--", "sh", "-c", 'ulimit -S -f unlimited; exec "$@"', "sh", *command]

    output, whole = r.folder / "nameless", r.folder / "named"
    launch.run(words(whole), r.options.waiting)
    run = launch.run(words(output, "prlimit", "--fsize=8:unlimited"), r.options.waiting)
    said = run.stderr.splitlines()
    words_said = f"{output} has every call, but no names of functions (write: File too large); when that is mended, look them up with"
    r.equal("nameless: said", (len(said), said[0]), (2, f"reprise: {words_said}"))
    r.equal("nameless: status", run.returncode, 1)
    r.equal("nameless: calls", r.calls(output, 1), r.calls(whole, 1))
    added = launch.run(["sh", "-c", said[-1].strip().replace("reprise", r.options.reprise, 1)], None)
    r.equal("nameless: adding them", (added.returncode, added.stderr), (0, ""))
    shown = [launch.run([r.options.reprise, "show", str(trace)], None).stdout.splitlines()[1:] for trace in (output, whole)]
    r.equal("nameless: as it would have been", *shown)
    output.unlink()
    whole.unlink()


def check_alone(r: Recording) -> None:
    """Without `reprise record` around it the program's own status counts."""
    words = [r.options.reprise, "record", "--print-env", "--mpi", r.options.mpi, "-o", str(r.folder / "alone")]
    script = f'eval "$({" ".join(words)})"; exec {" ".join(launch.command(r.options.mpi, RANKS, [r.options.program, "full"]))}'
    run = launch.run(["sh", "-c", script], r.options.waiting)
    r.equal("alone: status and output", (run.returncode, run.stdout), (0, "the disk is full\n"))
    r.equal("alone: said once", run.stderr.count("reprise:"), 1)
    good = launch.run(["sh", "-c", script.replace("alone", "good").removesuffix("full") + "well"], r.options.waiting)
    r.equal("alone, good: status and errors", (good.returncode, good.stderr), (0, ""))
    r.equal("alone, good: files", [name for name in r.files() if name.startswith("good")], ["good"])
    merged = r.folder / "merged"
    parts = [str(r.folder / f"alone.part-{rank}") for rank in range(RANKS)]
    run = launch.run([r.options.reprise, "merge", "-o", str(merged), *parts], None)
    r.equal("alone: merged", (run.returncode, run.stderr), (0, ""))


def check_one_environment(r: Recording) -> None:
    """Several jobs in one environment of --print-env: each has a trace of its own, and says so where the name is another."""
    def jobs(name: str, *options: str, ranks: int = RANKS) -> list[str]:
        """Two jobs; what the recorders say."""
        output = r.folder / name
        words = [r.options.reprise, "record", "--print-env", *options, "--mpi", r.options.mpi, "-o", str(output)]
        command = " ".join(launch.command(r.options.mpi, ranks, [r.options.program, "well"]))
        run = launch.run(["sh", "-c", f'eval "$({" ".join(words)})"; {command} && {command}'], r.options.waiting)
        r.equal(f"{name}: status", run.returncode, 0)
        return [line for line in run.stderr.splitlines() if line.startswith("reprise:")]

    def ranks_of(name: str) -> list[int]:
        traces = [r.folder / name, *sorted(r.folder.glob(f"{name}.job-*"))]
        infos = [launch.run([r.options.reprise, "info", "--json", str(trace)], None).stdout for trace in traces]
        return [json.loads(info)["ranks"] for info in infos]

    for name, options in (("env", []), ("env-without-parts", ["--checkpoints", "none"]), ("env-forced", ["--force"])):
        said = jobs(name, *options)
        second = f"{r.folder / name}.job-2"
        r.true(f"{name}: said", len(said) == 1 and said[0].endswith(f"; the trace of this job is {second}"), str(said))
        r.equal(f"{name}: traces", ranks_of(name), [RANKS, RANKS])
    # In another environment: the traces are there, and may be replaced only if that was asked for.
    r.equal("env, again: said", [line.split()[-1][-5:] for line in jobs("env", ranks=2)], ["job-3", "job-4"])
    r.equal("env, again: traces", ranks_of("env"), [RANKS, RANKS, 2, 2])
    r.equal("env, forced again: said", [line.split()[-1][-5:] for line in jobs("env-forced", "--force", ranks=2)], ["job-2"])
    r.equal("env, forced again: traces", ranks_of("env-forced"), [2, 2])


def check_under_way(r: Recording) -> None:
    """A recording whose output another one has, which has begun: that is the reason, and not an earlier run."""
    output, go = r.folder / "under-way", r.folder / "go"
    command = launch.command(r.options.mpi, RANKS, [r.options.program, f"until:{go}"])
    words = [r.options.reprise, "record", "-o", str(output), "--mpi", r.options.mpi, "--", *command]
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(launch.run, words, r.options.waiting)
        while not list(r.folder.glob("under-way.part-*")) and not first.done():
            time.sleep(0.05)
        for force in ([], ["--force"]):
            second = r.record("-o", str(output), *force)
            said = "(a recording that is running writes it)"
            r.true(f"under way {force}: said", second.returncode == 1 and said in second.stderr, second.stderr)
        go.touch()
        run = first.result()
    r.equal("under way: the first", (run.returncode, run.stderr), (0, ""))
    r.equal("under way: its trace", r.calls(output, 0), r.calls(r.folder / "each.0", 0))


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--only", choices=["behind"], help="what `reprise record` does behind the run")
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        recording = Recording(options, Path(scratch))
        if options.only:
            check_outlived(recording)
            check_still_running(recording)
            check_without_locks(recording)
            check_no_room_for_names(recording)
            return recording.status()
        check_each_rank(recording)
        check_full(recording)
        check_appearing(recording)
        check_two_at_once(recording)
        check_under_way(recording)
        check_one_environment(recording)
        check_killed_command(recording)
        check_deleted_folder(recording)
        check_crash_in_deleted_folder(recording)
        check_other_mpi(recording)
        check_moved_parts(recording)
        check_killed_early(recording)
        check_alone(recording)
        return recording.status()


if __name__ == "__main__":
    sys.exit(main())
