#!/usr/bin/env python3
"""What is kept of runs that are killed: a rank, all ranks or the launcher at a random moment, and all ranks in MPI_Finalize.

Prints a Markdown table by MPI and victim, over so many kills each: runs that left a trace, the
share of the calls that were made which is in the trace, the ranks whose unfinished call is known, and deadlocks that were claimed where
there was none.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, ranks, mine, all = 0;
  char name[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rounds = argc > 2 ? 20000 : 1 << 30;
  for (int i = 0; i < rounds; i++) {
    mine = i;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % ranks, 0, &all, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (i == 0) {
      snprintf(name, sizeof name, "%s/pid-%d", argv[1], rank);
      FILE* file = fopen(name, "w");
      fprintf(file, "%d\n", (int)getpid());
      fclose(file);
    }
  }
  snprintf(name, sizeof name, "%s/end-%d", argv[1], rank);
  fclose(fopen(name, "w"));
  MPI_Finalize();
  return 0;
}
"""
VICTIMS = ("a rank", "all ranks", "the launcher", "in MPI_Finalize")


def wait_for(condition, process: subprocess.Popen) -> None:
    end = time.monotonic() + 120
    while not condition():
        if process.poll() is not None or time.monotonic() > end:
            return
        time.sleep(0.002)


def run(options: argparse.Namespace, binary: Path, victim: str, folder: Path, chance: random.Random) -> dict:
    trace = folder / "trace"
    in_finalize = victim == "in MPI_Finalize"
    program = [str(binary), str(folder), *(["end"] if in_finalize else [])]
    words = [str(options.reprise), "record", "-o", str(trace), "--", *launch.command(options.mpi, options.ranks, program)]
    with subprocess.Popen(
        words, env=launch.environment(options.waiting), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        names = [folder / f"pid-{rank}" for rank in range(options.ranks)]
        wait_for(lambda: all(name.exists() and name.read_text().endswith("\n") for name in names), process)
        pids = [int(name.read_text()) for name in names]
        if in_finalize:
            wait_for(lambda: list(folder.glob("end-*")), process)
            time.sleep(chance.uniform(0, 0.02))
        else:
            time.sleep(chance.uniform(0, options.longest))
        if victim == "the launcher":
            found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout.split()
            victims = [int(pid) for pid in found if b"mpi" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        else:
            victims = [chance.choice(pids)] if victim == "a rank" else pids
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait(timeout=120)
    out = {"traces": int(trace.exists()), "kept": 0, "made": 0, "known": 0, "ranks": 0, "false": 0}
    if not trace.exists():
        return out
    said = json.loads(subprocess.run([options.reprise, "info", "--json", trace], capture_output=True, text=True, check=True).stdout)
    missing = said["lost"].get("calls after the last checkpoint of their rank", 0)
    out["kept"], out["made"] = said["calls"], said["calls"] + missing
    unfinished = said["unfinished"] or {"calls": [], "waits": None}
    out["known"], out["ranks"] = len(unfinished["calls"]), options.ranks
    out["false"] = int(bool(unfinished["waits"] and unfinished["waits"]["cycles"]))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--mpi", nargs="+", default=["openmpi", "mpich"], choices=launch.LAUNCHERS)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--longest", type=float, default=5.0, help="until the kill [s]")
    options = parser.parse_args()
    options.waiting = options.build / "tests" / "libcheap_waiting.so"
    options.reprise = options.build / "bin" / "reprise"
    chance = random.Random(1)
    print("| MPI | killed | traces | calls in them, of those made | ranks in a known call | deadlocks claimed |")
    print("|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "killed.c"
        source.write_text(PROGRAM)
        for mpi in options.mpi:
            options.mpi = mpi
            binary = Path(scratch) / f"killed-{mpi}"
            subprocess.run([f"mpicc.{mpi}", "-O1", "-g", "-o", binary, source], check=True)
            for victim in VICTIMS:
                sums: dict[str, int] = {}
                for _ in range(options.kills):
                    with tempfile.TemporaryDirectory(dir=scratch) as folder:
                        for key, value in run(options, binary, victim, Path(folder), chance).items():
                            sums[key] = sums.get(key, 0) + value
                share = f"{sums['kept']:,} of {sums['made']:,} ({100 * sums['kept'] / max(1, sums['made']):.1f} %)"
                print(f"| {mpi} | {victim} | {sums['traces']} of {options.kills} | {share} | {sums['known']} of {sums['ranks']} | {sums['false']} |", flush=True)


if __name__ == "__main__":
    main()
