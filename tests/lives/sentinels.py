#!/usr/bin/env python3
"""MPI's special values in Fortran's three bindings: the program finds its results right, and the plain log, which the
trace must equal, shows them as what they are."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent))
import launch  # noqa: E402
import oracle  # noqa: E402
from check import Checks  # noqa: E402

# What rank 0 or rank 1 must have logged: the beginning of a line, and what is in it besides.
LOGGED = [
    (0, "MPI_Init polls=0", ""),
    (0, "MPI_Allreduce polls=0 sendbuf=MPI_IN_PLACE recvbuf=0 count=2 datatype=MPI_INTEGER op=MPI_SUM", ""),
    (1, "MPI_Allreduce polls=0 sendbuf=MPI_IN_PLACE recvbuf=0 count=2 datatype=MPI_INTEGER op=MPI_MAX", ""),
    (0, "MPI_Send polls=0 buf=MPI_BOTTOM count=1 datatype=type0 dest=1 tag=5", ""),
    (1, "MPI_Recv polls=0 buf=MPI_BOTTOM count=1 datatype=type0 source=0 tag=5", ""),
    (0, "MPI_Waitall polls=0 requests=[1,0]", ""),
    (1, "MPI_Dist_graph_create_adjacent", "sources=[0] sourceweights=[MPI_UNWEIGHTED] destinations=[0] destweights=[MPI_UNWEIGHTED]"),
]
CALLS = 13  # of each rank


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("programs", nargs="+", help="one for each binding")
    options = parser.parse_args()
    checks = Checks()
    for program in options.programs:
        name = Path(program).name
        with tempfile.TemporaryDirectory() as scratch:
            trace, flat = Path(scratch) / "trace", Path(scratch) / "flat"
            command = launch.command(options.mpi, 2, [program])
            words = [options.reprise, "record", "-o", str(trace), "--flat", str(flat), "--", *command]
            run = launch.run(words, options.waiting)
            if not checks.equal(f"{name}: the program", (run.returncode, run.stdout, run.stderr), (0, "", "")):
                continue
            logs = [(flat / f"rank-{rank}-thread-0.log").read_text().splitlines() for rank in range(2)]
            checks.equal(f"{name}: calls", [len(log) for log in logs], [CALLS, CALLS])
            for rank, beginning, rest in LOGGED:
                found = sum(line.startswith(beginning) and rest in line for line in logs[rank])
                checks.true(f"{name}: {beginning.split()[0]}", found == 1, "\n".join(logs[rank]))
            sys.argv = ["oracle.py", "--reprise", options.reprise, str(trace), str(flat)]
            checks.equal(f"{name}: as in the log", oracle.main(), 0)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
