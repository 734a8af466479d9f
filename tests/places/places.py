#!/usr/bin/env python3
"""Records a program on two ranks and compares the places of its calls with what its source says.

    places.py --reprise R --mpi openmpi|mpich --source FILE [--waiting LIB] PROGRAM

A line of the source that has a call says `PLACE [MPI_FUNCTION] FUNCTION [via WRAPPERS], ...`: how the call's place begins
and ends, around the file and line, in `reprise stats --by site`. With `--wrappers none` no wrapper is named.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

_MARK = re.compile(r"PLACE (.*?)\s*(?:\*/)?$")


def expected(source: Path) -> set[str]:
    out = set()
    for number, line in enumerate(source.read_text().splitlines(), 1):
        mark = _MARK.search(line)
        for name in re.split(", ", mark[1]) if mark else []:
            function, via, wrappers = re.sub(r"^MPI_\w+ ", "", name).partition(" via ")
            out.add(f"{function} {source.name}:{number}{via}{wrappers}")
    return out


def places(reprise: str, trace: Path, *options: str) -> set[str]:
    command = [reprise, "stats", "--by", "site", "--json", *options, str(trace)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return {row["place"] for row in json.loads(result.stdout)["rows"]}


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--source", required=True, type=Path)
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder, "places.reprise")
        record = [options.reprise, "record", "-o", str(trace), "--"]
        run = launch.run(record + launch.command(options.mpi, 2, [options.program]), options.waiting)
        if run.returncode != 0:
            print(run.stdout, run.stderr, sep="\n")
            return 1
        wanted, found = expected(options.source), places(options.reprise, trace)
        for place in sorted(wanted ^ found):
            print("missing:" if place in wanted else "unexpected:", place)
        wrapped = [p for p in places(options.reprise, trace, "--wrappers", "none") if " via " in p]
        for place in wrapped:
            print("with --wrappers none:", place)
        return 1 if wanted != found or wrapped else 0


if __name__ == "__main__":
    sys.exit(main())
