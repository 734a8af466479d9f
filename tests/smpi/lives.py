#!/usr/bin/env python3
"""Programs in SMPI that end early, ways to run them, and what cannot be recorded and must say so."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent))
from check import Checks  # noqa: E402
from simulated import launch, simulated, walk  # noqa: E402

SOURCE = Path(__file__).with_name("lives.c")
RANKS = 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reprise", required=True)
    reprise = parser.parse_args().reprise
    checks = Checks()
    flags = subprocess.run([reprise, "link-flags", "--mpi", "smpi"], capture_output=True, text=True, check=True).stdout.split()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        library, program, bare = folder / "libbarrier.so", folder / "lives", folder / "bare"
        link = ["-L", scratch, "-lbarrier", f"-Wl,-rpath,{scratch}"]
        subprocess.run(["smpicc", "-g", "-w", "-DLIBRARY", str(SOURCE), "-o", str(library)], check=True)
        subprocess.run(["smpicc", "-g", "-w", str(SOURCE), "-o", str(program), *flags, *link], check=True)
        subprocess.run(["smpicc", "-g", "-w", str(SOURCE), "-o", str(bare), *link], check=True)

        def record(way: str, *settings: str, what: Path = program) -> tuple[subprocess.CompletedProcess[str], int, Path]:
            """The recorded run, the status of the same without the recorder, and the trace."""
            trace = folder / f"{way}{len(settings)}.reprise"
            command = simulated(folder, RANKS, [*settings, str(what), way])
            alone = launch.run(command, None).returncode
            run = launch.run([reprise, "record", "--force", "-o", str(trace), "--", *command], None)
            return run, alone, trace

        for way in "fadste":
            run, alone, trace = record(way)
            text = run.stdout + run.stderr
            checks.true(f"{way}: status {alone}", run.returncode == alone and trace.exists(), text)
            if trace.exists():
                calls = [sum("MPI_Barrier" in line for line in walk(reprise, trace, rank)) for rank in range(RANKS)]
                died = json.loads(subprocess.run([reprise, "info", "--json", trace], capture_output=True, check=True).stdout)["died"]
                known = [(death["ranks"], death["signal"], death["function"]) for death in died]
                # A fault is that of the rank that ran; one process has all ranks, which SIGTERM ends.
                if way == "s":
                    checks.equal("s: rank 1 died", known, [([1], 11, "MPI_Barrier")])
                if way == "t":
                    checks.equal("t: all ranks died", sorted((r, signal) for ranks, signal, _ in known for r in ranks), [(r, 15) for r in range(RANKS)])
                checks.true(f"{way}: barriers", min(calls) >= 10, f"{calls}\n{text}")
        # The program's library is shared, and its ten barriers must be their caller's; with mmap they are not seen.
        for setting, wanted in (("contexts/factory:thread", 13), ("smpi/privatization:mmap", 3)):
            run, alone, trace = record("f", f"--cfg={setting}")
            calls = [len(walk(reprise, trace, rank)) for rank in range(RANKS)] if trace.exists() else []
            checks.true(setting, run.returncode == 0 and calls == [wanted] * RANKS, f"{calls}\n{run.stdout}{run.stderr}")
        run, _, trace = record("f", "--cfg=smpi/privatization:no")
        checks.true("without privatisation", run.returncode == 1 and "share their global variables" in run.stderr, run.stderr)
        run, _, _ = record("f", what=bare)
        checks.true("without the recorder", run.returncode == 1 and "link-flags" in run.stderr, run.stderr)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
