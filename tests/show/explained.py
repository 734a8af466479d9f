#!/usr/bin/env python3
"""Records a program: what `show --json` explains fits its schema, makes the calls of `show --flat`, and can be printed.

    explained.py --reprise build/bin/reprise --mpi openmpi --ranks 4 -- PROGRAM ARGUMENT...
    explained.py --reprise build/bin/reprise --mpi openmpi --trace TRACE

The schema is only looked at where Python has jsonschema. With --golden FILE the listing that `show` prints is what the file
has, but for the program's command and MPI; REPRISE_UPDATE_GOLDENS=1 writes it there.
"""

import json
import subprocess
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402
from execute import Executor  # noqa: E402
from goldens import is_golden  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

MOST = 5000  # calls of a stream that are compared
MOST_VALIDATED = 100


def shown(reprise: str, *options: str) -> Any:
    return json.loads(subprocess.run([reprise, "show", "--json", *options], capture_output=True, check=True).stdout)


def first_difference(document: Any, stream: Any) -> str | None:
    executed = Executor(document, stream["rank"], stream["thread"]).run()
    for number, (one, recorded) in enumerate(zip_longest(executed, stream["calls"][:MOST])):
        if recorded is None:
            return None if number == MOST else f"call {number}: {one} was not made"
        if one != (recorded["function"], recorded["parameters"]):
            return f"call {number}: {one}, not {recorded['function']} {recorded['parameters']}"
    return None


def check(reprise: str, trace: str) -> int:
    document, flat = shown(reprise, trace), shown(reprise, "--flat", trace)
    if jsonschema:
        schema = json.loads((ROOT / "docs" / "show_json.schema.json").read_text(encoding="utf-8"))
        begin = {**flat, "streams": [{**s, "calls": s["calls"][:MOST_VALIDATED]} for s in flat["streams"]]}
        for one in (document, begin, shown(reprise, "--rank", "0", trace)):
            jsonschema.validate(one, schema)
    failed = 0
    for stream in flat["streams"]:
        if difference := first_difference(document, stream):
            print(f"rank {stream['rank']} thread {stream['thread']} {difference}", file=sys.stderr)
            failed = 1
    writer = ROOT / "examples" / "program" / "pseudo_code.py"
    text = subprocess.run([sys.executable, writer], input=json.dumps(document), capture_output=True, text=True, check=True).stdout
    functions = {c["function"] for s in flat["streams"] for c in s["calls"]}
    for function in sorted(functions):
        if f"{function}(" not in text:
            print(f"{writer.name} prints no {function}", file=sys.stderr)
            failed = 1
    return failed


def is_listed(reprise: str, trace: str, golden: Path) -> bool:
    text = subprocess.run([reprise, "show", trace], capture_output=True, text=True, check=True).stdout
    return is_golden("".join(text.splitlines(keepends=True)[2:]), golden)


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--trace", help="one that was recorded already")
    parser.add_argument("--golden", type=Path)
    parser.add_argument("program", nargs="*")
    options = parser.parse_args()
    if options.trace:
        return check(options.reprise, options.trace)
    with tempfile.TemporaryDirectory() as name:
        trace = Path(name) / "trace"
        program = [word.replace("{tmp}", name) for word in options.program]
        command = launch.command(options.mpi, options.ranks, program)
        run = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], options.waiting)
        print(run.stdout, run.stderr, sep="", end="")
        if run.returncode or not trace.exists():
            print(f"{' '.join(command)} ended with status {run.returncode}", file=sys.stderr)
            return 1
        is_golden_listing = not options.golden or is_listed(options.reprise, str(trace), options.golden)
        return check(options.reprise, str(trace)) or not is_golden_listing


if __name__ == "__main__":
    sys.exit(main())
