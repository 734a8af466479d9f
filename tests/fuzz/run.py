#!/usr/bin/env python3
"""Records a few small traces and lets `mutate` damage them for a while."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

WORKLOADS = ["stencil2d", "alltoallv", "multigrid", "subcomms", "neighborhood", "persistent", "onesided", "threads"]


def fit(options: argparse.Namespace, mpi: str, folder: Path) -> str | None:
    """A scalable trace; none if it cannot be made."""
    traces = []
    for ranks in (3, 4, 6):
        traces.append(str(folder / f"{ranks}-ranks.reprise"))
        command = launch.command(mpi, ranks, [str(options.workloads / mpi / "stencil1d"), "--steps", "5", "--cells", "8"])
        launch.run([options.reprise, "record", "-o", traces[-1], "--", *command], options.waiting)
    fitted = launch.run([options.reprise, "fit", *traces, "-o", str(folder / "laws.reprise")], None)
    print(fitted.stderr, file=sys.stderr)
    return None if fitted.returncode else str(folder / "laws.reprise")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--mutate", required=True)
    parser.add_argument("--seconds", required=True)
    parser.add_argument("--workloads", required=True, type=Path)
    parser.add_argument("--waiting", type=Path)
    parser.add_argument("--keep", required=True, type=Path, help="a folder for an input that crashes")
    options = parser.parse_args()
    mpi = next((m for m in launch.LAUNCHERS if (options.workloads / m).is_dir()), None)
    if not mpi:
        print("no workloads to make seeds of", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        seeds = []
        for name in WORKLOADS:
            trace = Path(scratch) / f"{name}.reprise"
            command = launch.command(mpi, 4, [str(options.workloads / mpi / name)])
            recorded = launch.run([options.reprise, "record", "-o", str(trace), "--", *command], options.waiting)
            if recorded.returncode:
                print(recorded.stderr, file=sys.stderr)
                return 1
            seeds.append(str(trace))
        laws = fit(options, mpi, Path(scratch))
        if not laws:
            return 1
        status = subprocess.run([options.mutate, options.seconds, *seeds, laws], cwd=scratch, check=False).returncode
        if status:
            options.keep.mkdir(parents=True, exist_ok=True)
            kept = shutil.copy(Path(scratch) / "last-input.bin", options.keep / "crashes.bin")
            print(f"the input is kept: {options.mutate} 0 {kept}", file=sys.stderr)
        return status


if __name__ == "__main__":
    sys.exit(main())
