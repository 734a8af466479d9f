#!/usr/bin/env python3
"""Records a program as one trace, as traces of its ranks and as flat logs; all three are one thing.

    three_forms.py --reprise build/bin/reprise --mpi openmpi --ranks 4 -- PROGRAM ARGUMENT...

- The trace of each rank is one for a decoder that knows docs/trace_format.md alone.
- The traces of the ranks, merged, are the trace of all: the same calls and call paths, in the same loops.
- The logs, merged, have the same calls as the trace that was written beside them.
- The replays of the three, recorded in turn, do the same.

With --racy, for programs whose calls depend on who comes first, only forms of one run are compared.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

DECODER = Path(__file__).parent.parent.parent / "tools" / "decode_trace.py"
# Open MPI has one handle for all sends that are buffered, which a replay copies.
REPLAYED = {"openmpi": "callpaths,times,polls,handles", "mpich": "callpaths,times,polls"}


class Failed(Exception):
    """What went wrong."""


class Forms:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.replay = str(Path(options.reprise).parent / "reprise-replay")

    def reprise(self, *words: str) -> str:
        done = subprocess.run([self.options.reprise, *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"reprise {' '.join(words)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def record(self, name: str, program: list[str], *how: str) -> Path:
        trace = self.folder / name
        command = launch.command(self.options.mpi, self.options.ranks, program)
        done = launch.run([self.options.reprise, "record", "-o", str(trace), *how, "--", *command], self.options.waiting)
        if done.returncode:
            raise Failed(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return trace

    def same(self, one: Path, other: Path, ignored: str) -> None:
        self.reprise("diff", "--ignore", ignored, str(one), str(other))
        print(f"{one.name} and {other.name} do the same, but for {ignored}")

    def run(self, program: list[str]) -> None:
        logs, merged, folded = (self.folder / name for name in ("logs", "merged", "folded"))
        one = self.record("one", program, "--flat", str(logs))
        ranks = self.record("ranks", program, "--merge", "none")
        files = [f"{ranks}.{r}" for r in range(self.options.ranks)]
        for r, file in [] if self.options.racy else enumerate(files):
            flat = self.reprise("show", "--flat", "--rank", str(r), file)
            words = [sys.executable, str(DECODER), "--rank", str(r), file]
            if flat != subprocess.run(words, capture_output=True, text=True, check=False).stdout:
                raise Failed(f"{' '.join(words)} prints something else than show --flat")
        self.reprise("merge", "-o", str(merged), *reversed(files))
        self.reprise("merge", "-o", str(folded), str(logs))
        self.same(one, folded, "callpaths,times")
        if not self.options.racy:
            self.same(one, merged, "times,polls")
            if self.reprise("show", str(one)) != self.reprise("show", str(merged)):
                raise Failed(f"other loops: {self.reprise('show', str(one))}\n{self.reprise('show', str(merged))}")
        for form, original in ((one, one), (logs, one), (ranks, merged)):
            words = [self.replay, str(form), "--compute", "none", "--scratch", str(self.folder)]
            self.same(original, self.record(f"replay_of_{form.name}", words), REPLAYED[self.options.mpi])


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--racy", action="store_true")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            Forms(options, Path(scratch)).run([word.replace("{tmp}", scratch) for word in options.program])
        except Failed as failure:
            print(failure, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
