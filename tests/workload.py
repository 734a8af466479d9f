#!/usr/bin/env python3
"""Records a workload and compares the trace, walked rank by rank, with the oracle's flat log.

The program must print the same and end with the same status as it does alone.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import launch  # noqa: E402
import oracle  # noqa: E402


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--posix-io", action="store_true", help="also record the program's own files")
    parser.add_argument("--alone", action="store_true", help="also run it without the recorder, and compare")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        program = [word.replace("{tmp}", scratch) for word in options.program]
        command = launch.command(options.mpi, options.ranks, program)
        trace, flat = Path(scratch) / "trace.reprise", Path(scratch) / "flat"
        record = [options.reprise, "record", "-o", str(trace), "--flat", str(flat), *(["--posix-io"] if options.posix_io else []), "--", *command]
        recorded = launch.run(record, options.waiting)
        print(recorded.stdout, recorded.stderr, sep="", end="")
        if recorded.returncode:
            print(f"the recorded program ended with status {recorded.returncode}", file=sys.stderr)
            return 1
        if options.alone:
            alone = launch.run(command, options.waiting)
            if (alone.returncode, alone.stdout, alone.stderr) != (recorded.returncode, recorded.stdout, recorded.stderr):
                print(f"alone it prints:\n{alone.stdout}{alone.stderr}and ends with {alone.returncode}", file=sys.stderr)
                return 1
        sys.argv = [sys.argv[0], "--reprise", options.reprise, str(trace), str(flat)]
        return oracle.main()


if __name__ == "__main__":
    sys.exit(main())
