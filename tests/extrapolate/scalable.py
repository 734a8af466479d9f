#!/usr/bin/env python3
"""Fits programs under SMPI, and holds what a scalable trace makes against what its inputs make, byte for byte.

    scalable.py --reprise build/bin/reprise --from 4,9,16 --to 36,100 [--not 12] -- PROGRAM ARGUMENT...
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from extrapolated import record

OTHERS = [
    ["show", "--flat", "{}"], ["stats", "{}"], ["seek", "--at", "1ms", "{}"], ["replay", "{}"], ["simulate", "{}"],
    ["symbolize", "{}"], ["transform", "align", "{}", "-o", "aligned"],
]  # fmt: skip


class Checks:
    def __init__(self, reprise: str, folder: Path) -> None:
        self._reprise = reprise
        self._folder = folder
        self.wrong = 0

    def run(self, status: int, message: str, *words: str) -> str:
        run = subprocess.run([self._reprise, *words], capture_output=True, text=True, check=False, cwd=self._folder)
        if run.returncode != status or message not in run.stdout + run.stderr:
            self.wrong += 1
            print(f"wrong: {' '.join(words)}\n{run.returncode}\n{run.stdout}{run.stderr}", file=sys.stderr)
        return run.stdout

    def same(self, one: str, other: str, what: str) -> None:
        right = (self._folder / one).read_bytes() == (self._folder / other).read_bytes()
        print(f"{what}: {'the same bytes' if right else 'other bytes'}")
        self.wrong += not right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--from", dest="inputs", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--to", required=True, help="numbers of ranks, with commas")
    parser.add_argument("--not", dest="refused", help="a number of ranks that must be refused")
    parser.add_argument("--explained", help="explained_laws, which holds the explained program against traces")
    parser.add_argument("--shows", action="append", default=[], help="a text that the laws have when shown")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [str(record(options.reprise, folder, int(n), options.program)) for n in options.inputs.split(",")]
        checks = Checks(options.reprise, folder)
        checks.run(0, "", "fit", *inputs, "-o", "app.reprise")
        if not (folder / "app.reprise").exists():
            return 1
        print(checks.run(0, "ranks", "info", "app.reprise"))
        checks.run(2, "has 16 places and not 17", "extrapolate", "app.reprise", "--ranks", "17", "--grid", "4x4")
        shown = checks.run(0, "# laws from", "show", "app.reprise")
        for text in options.shows:
            if text not in shown:
                checks.wrong += 1
                print(f"not shown: {text}\n{shown}", file=sys.stderr)
        for ranks in options.to.split(","):
            checks.run(0, "", "extrapolate", "app.reprise", "--ranks", ranks, "-o", f"of-laws-{ranks}")
            checks.run(0, "", "extrapolate", *inputs, "--ranks", ranks, "-o", f"of-traces-{ranks}")
            checks.same(f"of-laws-{ranks}", f"of-traces-{ranks}", f"{ranks} ranks")
        if options.explained:
            held = [options.explained, str(folder / "app.reprise"), *options.to.split(",")]
            explained = subprocess.run(held, capture_output=True, text=True, check=False)
            print(explained.stdout, explained.stderr)
            checks.wrong += explained.returncode != 0
        if options.refused:
            checks.run(1, "ranks (", "extrapolate", "app.reprise", "--ranks", options.refused)
        checks.run(2, "add --ranks", "extrapolate", "app.reprise")
        checks.run(2, "has no effect", "extrapolate", "app.reprise", "--ranks", "64", "--approximate")
        for words in OTHERS:
            checks.run(1, "is a scalable trace", *(w.format("app.reprise") for w in words))
        checks.run(2, "is a scalable trace", "diff", "app.reprise", inputs[0])
        checks.run(1, "exists", "fit", *inputs, "-o", "app.reprise")
        checks.run(2, "one trace is not enough", "fit", inputs[0], "-o", "other.reprise")
        return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
