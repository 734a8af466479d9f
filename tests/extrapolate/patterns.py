#!/usr/bin/env python3
"""A law that the user writes: it makes the trace that was recorded, and a wrong one is refused with what contradicts it.

    patterns.py --reprise build/bin/reprise UNFORESEEN
"""

import argparse
import sys
import tempfile
from pathlib import Path

from extrapolated import record
from scalable import Checks

LAW = "(rank * rank * rank + 7) % 23 + 3 * (rank % 5) * (rank % 3)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [str(record(options.reprise, folder, n, [options.program])) for n in (4, 6, 9, 11)]
        record(options.reprise, folder, 29, [options.program])
        checks = Checks(options.reprise, folder)

        def pattern(name: str, text: str) -> list[str]:
            (folder / name).write_text(text)
            return ["--pattern", name]

        right = pattern("right", f"# sizes\ncount of MPI_Send in main unforeseen.c:13 =\n  {LAW}\n")
        wanted = ["--ranks", "29"]
        checks.run(1, "count of MPI_Send in main unforeseen.c:13", "extrapolate", *inputs, *wanted)
        checks.run(0, "", "extrapolate", *inputs, *wanted, *right, "-o", "made")
        checks.run(0, "", "diff", "--ignore", "times,polls", "made", "29.reprise")
        checks.run(0, "predicted exactly, in their order", "extrapolate", *inputs, *right, "--check")
        checks.run(0, "", "fit", *inputs, *right, "-o", "app")
        checks.run(0, f"({LAW}) ", "show", "--width", "0", "app")
        checks.run(0, "", "extrapolate", "app", *wanted, "-o", "of-laws")
        checks.same("of-laws", "made", "29 ranks")
        # By hand: rank 1 sends (1 + 7) % 23 + 3 * 1 * 1 bytes, and the wrong law has 8 + 1.
        wrong = pattern("wrong", "count of MPI_Send = (rank * rank * rank + 7) % 23 + rank % 5\n")
        said = "wrong:1 is contradicted (in 4.reprise, on 4 ranks, rank 1 has 11 as value 1, where the pattern says 9)"
        inputs_here = [Path(i).name for i in inputs]
        checks.run(1, said, "extrapolate", *inputs_here, *wanted, *wrong)
        checks.run(1, "wrong:1 is contradicted", "fit", *inputs_here, *wrong, "-o", "other")
        who = pattern("who", f"count of MPI_Send = {LAW}\nparticipants of MPI_Send = rank > 1\n")
        checks.run(1, "who:2 is contradicted", "extrapolate", *inputs, *wanted, *who)
        none = pattern("none", f"count of MPI_Send = {LAW}\ndest of MPI_Bsend = 0\n")
        checks.run(2, "none:2 is of no use", "extrapolate", *inputs, *wanted, *none)
        name = pattern("name", f"count of MPI_Send = {LAW} + j\n")
        checks.run(2, "name:1 cannot be taken", "extrapolate", *inputs, *wanted, *name)
        text = pattern("text", "count of MPI_Send\n")
        checks.run(2, "text:1 is not understood", "extrapolate", *inputs, *wanted, *text)
        checks.run(2, "give a file of patterns", "extrapolate", *inputs, *wanted, "--pattern", "missing")
        return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
