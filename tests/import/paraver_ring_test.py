"""Imports Paraver traces that an independent program writes (paraver_archive.py): calls, messages, bytes and times equal what
an independent reader counts (prv.py), later stages work on them, and damaged traces end in an error."""

import argparse
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import paraver_archive  # noqa: E402
import prv  # noqa: E402
import trace_text  # noqa: E402
from check import Checks  # noqa: E402
from walk import walk  # noqa: E402

STEPS = 30
INPUTS = (4, 6, 8)
TARGET = 16
# Traces do not have these.
LEFT_OUT = {"MPI_Comm_rank"}
DAMAGED = 200


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, timeout=200)


def compare(checks: Checks, reprise: str, source: prv.Trace, path: Path) -> None:
    trace = trace_text.read(reprise, path)
    calls = [{f: n for f, n in c.items() if f not in LEFT_OUT} for c in source.calls]
    checks.equal("calls", [dict(c) for c in trace.calls], calls)
    checks.equal("messages of each pair", dict(trace.messages), dict(source.messages))
    checks.equal("bytes sent by each pair", dict(trace.sent), dict(source.sent))
    checks.equal("bytes received by each pair", dict(trace.received), dict(source.sent))
    times: Counter = Counter()
    for of_rank in source.times:
        times.update({f: ns for f, ns in of_rank.items() if f not in LEFT_OUT})
    checks.equal("time in each function [ns]", dict(trace.times), dict(times))
    first = walk(reprise, path, 1)
    bcast = next(line for line in first if line.startswith("MPI_Bcast"))
    checks.true("root and size of MPI_Bcast", f"root={source.ranks - 1}" in bcast and "count=16 " in bcast, bcast)
    shown = run(reprise, "show", path).stdout
    checks.true("functions, lines and loops", all(w in shown for w in ("exchange", "ring.c:2", f"{STEPS} times")), shown)


def later_stages(checks: Checks, reprise: str, folder: Path) -> None:
    made = folder / "made.reprise"
    done = run(reprise, "extrapolate", *(folder / f"{ranks}.reprise" for ranks in INPUTS), "--ranks", TARGET, "-o", made)
    checks.equal("extrapolate", done.returncode, 0)
    diff = run(reprise, "diff", made, folder / f"{TARGET}.reprise")
    checks.true("diff of the extrapolated trace", diff.returncode == 0 and " are equal: " in diff.stdout, diff.stdout)
    for stage in ("info", "stats", "simulate"):
        done = run(reprise, stage, folder / f"{TARGET}.reprise")
        checks.equal(stage, (done.returncode, done.stderr), (0, ""))
    done = run(reprise, "generate", made, "--language", "c", "-o", folder / "made.c")
    checks.equal("generate", done.returncode, 0)


def damage(checks: Checks, reprise: str, source: Path, folder: Path) -> None:
    """No change to a trace makes its import crash, hang or take much memory."""
    content = source.read_bytes()[:6000]
    chance = random.Random(1)
    for n in range(DAMAGED):
        changed = bytearray(content)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(changed)) if chance.random() < 0.7 else chance.randrange(120)
            changed[at : at + chance.randint(0, 3)] = bytes(chance.choice(b"0123456789:,()\n-x") for _ in range(chance.randint(0, 6)))
        path = folder / "damaged.prv"
        path.write_bytes(changed)
        # No more than a gigabyte of memory.
        done = run("sh", "-c", f"ulimit -v 1048576; exec '{reprise}' import '{path}' --force -o '{folder}/damaged.reprise'")
        told = done.returncode == 0 or (done.returncode in (1, 2) and done.stderr.startswith("reprise: "))
        if not told:
            checks.equal(f"damaged trace {n}", (done.returncode, done.stderr, bytes(changed)), (0, "", b""))
    checks.true("damaged traces", True, "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reprise", required=True)
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for ranks in (*INPUTS, TARGET):
            source = folder / f"{ranks}.prv"
            paraver_archive.write(source, ranks, STEPS)
            done = run(options.reprise, "import", source, "-o", folder / f"{ranks}.reprise", "--time-precision", "0")
            checks.equal(f"import of {ranks} ranks", (done.returncode, done.stderr), (0, ""))
        compare(checks, options.reprise, prv.read(folder / f"{TARGET}.prv"), folder / f"{TARGET}.reprise")
        later_stages(checks, options.reprise, folder)
        damage(checks, options.reprise, folder / "4.prv", folder)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
