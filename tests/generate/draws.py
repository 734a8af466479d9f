#!/usr/bin/env python3
"""Checks that generated C and Python draw the same: the runtime part of each, asked for the same draws.

    draws.py --runtime src/write --cc cc
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

# Seed, number of draws, rank, whether all ranks draw in one order.
CASES = [(0, 1, 0, 0), (1, 2, 3, 0), (2, 99, 5, 0), (2, 99, 6, 1), (7, 1024, 2, 0), (8, 1000, 63, 1)]
SPREAD = [1000000, 8000, 250000, 9000, 500000, 10500, 250000, 12250]
DRAWS = 2000

MAIN = """
int main(void) {
  static const struct { int seed, n, rank, together; } all[] = {%s};
  static const int spread[] = {%s};
  for (size_t c = 0; c < sizeof all / sizeof *all; c++) {
    rank = all[c].rank;
    for (int draw = 0; draw < %d; draw++)
      printf("%%.12f\\n", drawn(spread, all[c].n, (bm_bits)draw, (bm_bits)all[c].seed, all[c].together));
  }
}
"""


def drawn_in_c(runtime: Path, cc: str) -> list[float]:
    text = (runtime / "c" / "runtime" / "compute.h").read_text(encoding="utf-8")
    begin, end = text.index("typedef unsigned long long bm_bits;"), text.index("/* What is computed before the call at a site")
    cases = ", ".join("{" + ", ".join(map(str, c)) + "}" for c in CASES)
    main = MAIN % (cases, ", ".join(map(str, SPREAD)), DRAWS)
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "draws.c", Path(folder) / "draws"
        source.write_text("#include <stdio.h>\nstatic int rank;\n" + text[begin:end] + main, encoding="utf-8")
        subprocess.run([cc, "-std=c99", "-O1", "-o", str(program), str(source)], check=True)
        return [float(line) for line in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split()]


def drawn_in_python(runtime: Path) -> list[float]:
    text = "import itertools\n" + "\n".join(
        (runtime / "python" / "runtime" / f"{part}.py").read_text(encoding="utf-8") for part in ("tables", "times")
    )
    out = []
    for seed, n, rank, together in CASES:
        names: dict = {"rank": rank}
        exec(text, names)  # as it stands in programs
        drawn = names["Drawn"](seed, n, SPREAD, together=bool(together))
        out += [drawn.next() for _ in range(DRAWS)]
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", type=Path, required=True)
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()
    ours, theirs = drawn_in_c(options.runtime, options.cc), drawn_in_python(options.runtime)
    differ = [i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if abs(a - b) > 1e-9]
    for i in differ[:10]:
        print(f"draw {i % DRAWS} of {CASES[i // DRAWS]}: {ours[i]} in C, {theirs[i]} in Python", file=sys.stderr)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
