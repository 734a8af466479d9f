#!/usr/bin/env python3
"""Records a workload and transforms the trace: aligned, it says the same; without wildcards, it can be replayed."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--replay", required=True, help="reprise-replay for this MPI")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    def run(*words: str) -> bool:
        done = launch.run([options.reprise, *words], options.waiting)
        if done.returncode:
            print(" ".join(words), done.stdout, done.stderr, f"status {done.returncode}", sep="\n", file=sys.stderr)
        return done.returncode == 0

    with tempfile.TemporaryDirectory() as scratch:
        given, aligned, fixed, first, again = (str(Path(scratch) / name) for name in ("given", "aligned", "fixed", "first", "again"))
        program = [word.replace("{tmp}", scratch) for word in options.program]
        replay = launch.command(options.mpi, options.ranks, [options.replay, fixed])
        ok = (
            run("record", "-o", given, "--", *launch.command(options.mpi, options.ranks, program))
            and run("transform", "align", given, "-o", aligned)
            and run("diff", "--ignore", "callpaths,times", given, aligned)
            and run("transform", "resolve", "--check", given, "-o", fixed)
            and run("diff", "--ignore", "source,tag,recvtag,matches", given, fixed)
            and run("transform", "resolve", "--wildcards", "first", given, "-o", first)
            and run("diff", "--ignore", "source,tag,recvtag,matches", given, first)
            and run("record", "-o", again, "--", *replay)
            and run("diff", "--ignore", "callpaths,times,polls", fixed, again)
        )
        if not ok:
            return 1
        flat = launch.run([options.reprise, "show", "--flat", fixed], None).stdout
        wild = [line for line in flat.splitlines() if "ANY_SOURCE" in line or "MPI_ANY_TAG" in line]
        print(f"{len(flat.splitlines())} calls, {len(wild)} with wildcards")
        return 1 if wild else 0


if __name__ == "__main__":
    sys.exit(main())
