#!/usr/bin/env python3
"""What extrapolation takes against the number of ranks that is wanted, as a table in Markdown.

    bench/extrapolate.py --build build/dev [--reprise build/release/bin/reprise] [--most 1048576]

Programs are recorded under SMPI on a few small numbers of ranks. CPU time [s], memory at its highest [MB] and the size of
the result [bytes] are those of `reprise extrapolate`; the law is sought anew each time.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "extrapolate"))
from extrapolated import record  # noqa: E402

# name, arguments, inputs; every wanted number is a square and a power of two.
CASES = [
    ("stencil1d", "--steps 20 --cells 64", [4, 6, 9]),
    ("stencil2d", "--steps 20 --cells 16x16", [4, 9, 16, 25]),
    ("stencil2d_torus", "--steps 20 --cells 16", [9, 12, 16, 20]),
    ("stencil3d", "--steps 20 --cells 4x6x8", [8, 12, 18, 27]),
    ("butterfly", "--steps 10 --cells 32", [4, 8, 16, 32]),
    ("multipartition", "--steps 4 --cells 4", [4, 9, 16]),
    ("reductions", "--steps 3", [4, 6, 9]),
]


def measure(command: list[str]) -> tuple[int, float, int]:
    """Exit status, CPU time [s] and the most memory [bytes] of a command."""
    child = os.fork()
    if child == 0:
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/dev", type=Path, help="has the programs for SMPI")
    parser.add_argument("--reprise", type=Path, help="the command to measure; by default that of --build")
    parser.add_argument("--most", default=1048576, type=int, help="ranks")
    options = parser.parse_args()
    recorder = str((options.build / "bin" / "reprise").resolve())
    reprise = str((options.reprise or options.build / "bin" / "reprise").resolve())
    wanted = [n for n in (256, 4096, 65536, 1048576) if n <= options.most]
    print("| program | from |" + "".join(f" {n:,} ranks |" for n in wanted))
    print("|---|---|" + "---:|" * len(wanted))
    for name, arguments, inputs in CASES:
        with tempfile.TemporaryDirectory() as scratch:
            program = [str((options.build / "workloads" / "smpi" / name).resolve()), *arguments.split()]
            traces = [str(record(recorder, Path(scratch), n, program)) for n in inputs]
            cells = []
            for ranks in wanted:
                result = Path(scratch) / f"{ranks}.out.reprise"
                command = [reprise, "extrapolate", *traces, "--ranks", str(ranks), "-o", str(result)]
                status, seconds, memory = measure(command)
                cells.append(f"{seconds:.2f} s, {memory / 1e6:.0f} MB, {result.stat().st_size:,} bytes" if status == 0 else "refused")
            print(f"| `{name}` | {', '.join(map(str, inputs))} | " + " | ".join(cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
