"""Imports archives of a program on 4, 6 and 8 ranks (bench/otf2_archive.c), extrapolates to 16, and compares with the
archive of 16 ranks: every later stage works on what was imported."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from check import Checks  # noqa: E402

STEPS = 20
INPUTS = (4, 6, 8)
TARGET = 16


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, timeout=200)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--archive", required=True, help="the program that writes archives")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for ranks in (*INPUTS, TARGET):
            run(options.archive, folder / str(ranks), ranks, STEPS)
            imported = run(options.reprise, "import", folder / str(ranks), "-o", folder / f"{ranks}.reprise")
            checks.equal(f"import of {ranks} ranks", (imported.returncode, imported.stderr), (0, ""))
        inputs = [folder / f"{ranks}.reprise" for ranks in INPUTS]
        made = folder / "made.reprise"
        extrapolated = run(options.reprise, "extrapolate", *inputs, "--ranks", TARGET, "-o", made)
        checks.equal("extrapolate", extrapolated.returncode, 0)
        diff = run(options.reprise, "diff", made, folder / f"{TARGET}.reprise")
        checks.equal("diff", (diff.returncode, " are equal: " in diff.stdout), (0, True))
        for stage in ("info", "show", "stats", "simulate"):
            done = run(options.reprise, stage, folder / f"{TARGET}.reprise")
            checks.equal(stage, (done.returncode, done.stderr), (0, ""))
        # Times are the archive's: calls and computation of 100 to 160 ns for each of their events.
        shown = run(options.reprise, "show", folder / f"{TARGET}.reprise").stdout
        checks.true("loops", f"{STEPS // 10} times:" in shown and "10 times:" in shown, shown)
        part = folder / "part"
        exported = run(options.reprise, "export", folder / f"{TARGET}.reprise", "--format", "otf2", "-o", part,
                       "--ranks", "2-3", "--from", "10us")
        checks.equal("export of a part", (exported.returncode, exported.stderr), (0, ""))
        printed = run("otf2-print", part / "traces.otf2").stdout
        ranks = {line.split()[1] for line in printed.splitlines() if line.startswith(("ENTER", "LEAVE"))}
        checks.equal("ranks of the part", ranks, {"2", "3"})
        times = [int(line.split()[2]) for line in printed.splitlines() if line.startswith("ENTER")]
        checks.true("times of the part", min(times) >= 10_000, str(min(times)))
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
