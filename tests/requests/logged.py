#!/usr/bin/env python3
"""Records a program with a library before the recorder that logs what it calls, and compares the two.

    logged.py --reprise build/bin/reprise --mpi mpich --ranks 4 --log LIBRARY PROGRAM [ARGUMENT...]
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "support")]
import compare_calls  # noqa: E402
import launch  # noqa: E402


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--log", required=True, help="tests/support/call_log.c, as a library")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        trace, folder = Path(scratch) / "trace.reprise", Path(scratch) / "calls"
        os.environ["CALL_LOG"] = str(folder)
        command = launch.command(options.mpi, options.ranks, options.program)
        preloaded = f"{options.waiting} {options.log}" if options.waiting else options.log
        done = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], Path(preloaded))
        print(done.stdout, done.stderr, sep="", end="")
        if done.returncode:
            print(f"the program ended with status {done.returncode}", file=sys.stderr)
            return 1
        sys.argv = [sys.argv[0], "--reprise", options.reprise, "--counts", str(trace), str(folder)]
        return compare_calls.main()


if __name__ == "__main__":
    sys.exit(main())
