#!/usr/bin/env python3
"""What `reprise extrapolate` must refuse, and how it says so; and what it reports.

    misuse.py --reprise build/bin/reprise STENCIL TORUS
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from extrapolated import record

wrong = []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("stencil")
    parser.add_argument("torus")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "torus").mkdir()
        (folder / "other").mkdir()
        traces = {n: str(record(options.reprise, folder, n, [options.stencil, "--cells", "16x16"])) for n in (4, 6, 8, 9, 12, 16, 20, 25)}
        torus = str(record(options.reprise, folder / "torus", 9, [options.torus]))
        larger = str(record(options.reprise, folder / "other", 16, [options.stencil, "--cells", "24x8"]))

        def check(name: str, status: int, message: str, *words: str) -> str:
            command = [options.reprise, "extrapolate", *words]
            run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=scratch)
            right = run.returncode == status and message in run.stdout + run.stderr
            print(f"{name}: {'right' if right else 'wrong'}")
            if not right:
                wrong.append(name)
                print(run.returncode, run.stdout, run.stderr, file=sys.stderr)
            return run.stdout

        three = [traces[4], traces[9], traces[16]]
        check("one trace", 2, "one trace is not enough", traces[4], "--ranks", "64")
        check("no number", 2, "add --ranks", *three)
        check("a grid of another size", 2, "16 places", *three, "--ranks", "64", "--grid", "4x4")
        check("no grid", 2, "is not a grid", *three, "--ranks", "64", "--grid", "8y8")
        check("too few sizes", 2, "has 2 values and there are 3 traces", *three, "--ranks", "64", "--param", "n=1,2")
        check("a size unsaid", 2, "add --at n=N", *three, "--ranks", "64", "--param", "n=1,2,3")
        check("a size undeclared", 2, "not a value of a declared parameter", *three, "--ranks", "64", "--at", "n=3")
        check("a name that is taken", 2, "rename the parameter", *three, "--ranks", "64", "--param", "ranks=1,2,3")
        check("no numbers", 2, "is not understood", *three, "--ranks", "64", "--param", "n=a,b,c")
        check("another model", 2, "--time-model", *three, "--ranks", "64", "--time-model", "guess")
        check("twice the same", 1, "4 ranks each", traces[4], traces[4], "--ranks", "64")
        check("another program", 1, "different programs", traces[4], torus, traces[16], "--ranks", "64")
        check("another problem", 1, "without a law", traces[4], traces[9], larger, "--ranks", "64")
        check("exists", 1, "exists", *three, "--ranks", "64", "-o", traces[4])
        check("check", 0, "predicted exactly, in their order", *three, traces[25], "--check")
        found = json.loads(check("check as JSON", 0, "", *three, traces[25], "--check", "--json"))
        if not found["exact"] or found["ranks"] != 25 or any(s["wrong"] for s in found["sites"]):
            wrong.append("what the check says")
        check("report", 0, "x0 > 0", *three, "--report")
        report = json.loads(check("report as JSON", 0, "", *three, "--report", "--json"))
        if report["inputs"] != [4, 9, 16] or not any(law["parameter"] == "dest" for law in report["laws"]):
            wrong.append("what the report says")
        check("all as wide", 1, "2 and the extent of a grid both fit", traces[4], traces[6], traces[8], "--ranks", "16")
        check("no square", 1, "does not exist for 30 ranks", *three, "--ranks", "30")
        check("squares are no oblong", 1, "both fit", *three, "--ranks", "64", "--grid", "4x16")
        oblong = [traces[6], traces[8], traces[12], traces[20]]
        check("all one longer than wide", 0, "", traces[6], traces[12], traces[20], "--ranks", "15", "-o", "oblong.reprise")
        check("a wanted grid", 0, "", *oblong, "--ranks", "64", "--grid", "16x4", "-o", "wide.reprise")
        info = subprocess.run([options.reprise, "info", "wide.reprise"], capture_output=True, text=True, check=False, cwd=scratch).stdout
        if "program      extrapolated from 6, 8, 12, 20 ranks to 3.2 times the largest, where no trace confirms it; on 20: " not in info:
            wrong.append("what info says")
            print(info, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
