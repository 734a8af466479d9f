#!/usr/bin/env python3
"""README.md shows what its commands print: each is run where the program is, and its output is what stands below it.

    readme.py --reprise build/bin/reprise --program build/workloads/openmpi/stencil2d

The version of the MPI is not compared.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import launch  # noqa: E402
from check import Checks  # noqa: E402

EXAMPLE = re.compile(r"^    \$ (?P<command>.+)\n(?P<output>(?:    .*\n)+)", re.MULTILINE)
VERSION = re.compile(r"^(# Open MPI v)[\d.]+", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", type=Path, required=True)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--waiting", type=Path, help="library that makes waiting cheap")
    options = parser.parse_args()
    checks = Checks()
    examples = list(EXAMPLE.finditer((ROOT / "README.md").read_text(encoding="utf-8")))
    checks.true("README.md has commands", len(examples) > 1, str(examples))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / options.program.name).symlink_to(options.program.resolve())
        launchers = folder / "bin"
        launchers.mkdir()
        (launchers / "reprise").symlink_to(options.reprise.resolve())
        (launchers / "mpirun").symlink_to(shutil.which(launch.LAUNCHERS["openmpi"]))
        env = launch.environment(options.waiting)
        env["PATH"] = f"{launchers}{os.pathsep}{env['PATH']}"
        for example in examples:
            words = shlex.split(example["command"])
            run = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
            wanted = re.sub("^    ", "", example["output"], flags=re.MULTILINE)
            found, wanted = (VERSION.sub(r"\1", text) for text in (run.stdout, wanted))
            checks.equal(example["command"], (run.returncode, run.stderr, found), (0, "", wanted))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
