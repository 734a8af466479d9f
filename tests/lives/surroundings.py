#!/usr/bin/env python3
"""What may stand around MPI: libraries that are opened late, wrappers and tools of others, threads, forks.

The program checks its own results; the trace has the calls that theory tells, and those of the plain log.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent))
import launch  # noqa: E402
import oracle  # noqa: E402
from check import Checks  # noqa: E402
from walk import losses, walk  # noqa: E402

EXCHANGE = [["MPI_Init", "MPI_Send", "MPI_Finalize"], ["MPI_Init", "MPI_Recv", "MPI_Finalize"]]


def mpi_library(program: str) -> str:
    """The MPI library that a program is linked with."""
    lines = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    found = re.search(r"=> (\S*/libmpi(?:ch)?\.so\S*)", lines)
    assert found, lines
    return found[1]


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--programs", type=Path, required=True, help="where what is recorded was built")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder, built = Path(scratch), options.programs

        def record(
            name: str, program: list[str | Path], settings: dict[str, str] | None = None
        ) -> tuple[subprocess.CompletedProcess[str], Path]:
            trace, flat = folder / f"{name}.reprise", folder / name
            command = launch.command(options.mpi, 2, [str(word) for word in program])
            env = launch.environment(options.waiting)
            preload = (settings or {}).get("LD_PRELOAD")
            env |= {**(settings or {}), **({"LD_PRELOAD": f"{preload}:{options.waiting}"} if preload else {})}
            words = [options.reprise, "record", "-o", str(trace), "--flat", str(flat), "--mpi", options.mpi, "--", *command]
            return subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False), trace

        def check_exchange(name: str, program: list[str | Path], settings: dict[str, str] | None = None, output: str = "") -> None:
            run, trace = record(name, program, settings)
            good = checks.equal(f"{name}: the program", (run.returncode, run.stdout, run.stderr), (0, output, ""))
            if good:
                calls = [[line.split()[0] for line in walk(options.reprise, trace, rank)] for rank in range(2)]
                checks.equal(f"{name}: calls", calls, EXCHANGE)
                checks.equal(f"{name}: lost", losses(options.reprise, trace), {})

        plain, library = built / "surroundings", mpi_library(str(built / "surroundings"))
        check_exchange("enquire", [plain, "enquire"])
        check_exchange("wrap", [built / "wrapping", "wrap"])
        check_exchange("plugin", [plain, "plugin", built / "plugin.so"])
        check_exchange("global", [built / "opening", "global", library])
        check_exchange("fork", [plain, "fork"])
        check_exchange("tool", [plain, "enquire"], {"LD_PRELOAD": str(built / "tool.so"), "EXPECT_PRELOADED": "tool.so"}, "tool: 1 sent\n")
        run, trace = record("handle", [built / "opening", "handle", library])
        said = run.returncode == 1 and "no MPI call was recorded" in run.stderr and "looks up MPI functions" in run.stderr
        checks.true("handle: runs, and what cannot be recorded is said", said and not trace.exists(), f"{run.returncode}\n{run.stderr}")

        # A recorder without the library that reads machine code: the run is recorded, and it is said at once and in the trace.
        listed = subprocess.run([options.reprise, "record", "--mpi", options.mpi, "--print-env"], capture_output=True, text=True, check=True)
        recorder = Path(re.search(r"LD_PRELOAD='([^']+)'", listed.stdout)[1])
        lone, trace = folder / "lone", folder / "lone.reprise"
        lone.mkdir()
        shutil.copy(recorder, lone)
        env = launch.environment(options.waiting) | {"REPRISE_OUTPUT": str(trace)}
        env["LD_PRELOAD"] = ":".join(map(str, [lone / recorder.name, *([options.waiting] if options.waiting else [])]))
        run = subprocess.run(
            launch.command(options.mpi, 2, [str(plain), "enquire"]), env=env, capture_output=True, text=True, timeout=60, check=False
        )
        said = run.stderr.startswith("reprise: loops are found from repetition alone") and run.stderr.count("\n") == 1
        checks.true("lone: is said once", run.returncode == 0 and said and str(lone) in run.stderr, f"{run.returncode}\n{run.stderr}")
        checks.equal("lone: lost", list(losses(options.reprise, trace)), ["call paths whose machine code was not read for loops"])

        run, trace = record("threads", [built / "four_threads"])
        checks.equal("threads: the program", (run.returncode, run.stderr), (0, ""))
        sys.argv = ["oracle.py", "--reprise", options.reprise, str(trace), str(folder / "threads")]
        checks.equal("threads: as in the log", oracle.main(), 0)
        per_thread = sorted(len(walk(options.reprise, trace, 1, thread)) for thread in range(5))
        checks.equal("threads: calls", per_thread, [2, 300, 300, 300, 300])
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
