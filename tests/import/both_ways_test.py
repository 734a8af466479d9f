"""Records a program both ways: as an OTF2 archive, by an independent recorder (otf2_recorder.c), and with Reprise. What is
imported must equal the recording, but for what the header of the imported trace lists; later stages must make the same of
both. With several numbers of ranks the imported traces of all but the last are extrapolated to the last one.

It takes any deterministic program that calls what the recorder wraps, such as those of the NAS benchmarks."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
from check import Checks  # noqa: E402
from independent_recorder import record, run  # noqa: E402
from launch import command, environment, options_parser  # noqa: E402

# Parameters that may differ, and the words of the header that say so. Sizes are compared as bytes.
LACKING = {"count": "sizes are bytes of MPI_BYTE", "datatype": "no datatypes", "op": "no reduction operations"}
NOT_IN_ARCHIVES = ["callpaths", "polls"]  # of programs that were not instrumented; of which each is a record
MACHINE = ["--latency", "2us", "--bandwidth", "1GB/s"]


class BothWays:
    def __init__(self, checks: Checks, options, folder: Path) -> None:
        self.checks, self.options, self.folder, self.reprise = checks, options, folder, options.reprise

    def record_own(self, ranks: int, program: list, path: Path) -> Path:
        words = [self.reprise, "record", "-o", path, "--", *command(self.options.mpi, ranks, program)]
        subprocess.run([str(w) for w in words], env=environment(self.options.waiting), check=True, timeout=500, stdout=subprocess.DEVNULL)
        return path

    def import_archive(self, ranks: int) -> Path:
        archive, path = self.folder / f"archive-{ranks}", self.folder / f"imported-{ranks}.reprise"
        self.options.ranks = ranks
        record(self.options, archive)
        run(self.reprise, "import", archive / "traces.otf2", "-o", path)
        return path

    def check_equal(self, name: str, a: Path, b: Path, ignored: list[str]) -> None:
        words = [str(w) for w in (self.reprise, "diff", "--ignore", ",".join(ignored), a, b)]
        diff = subprocess.run(words, capture_output=True, text=True, check=False)
        self.checks.true(name, diff.returncode == 0 and " are equal: " in diff.stdout, diff.stdout + diff.stderr)

    def statistics(self, trace: Path) -> dict:
        """Calls and bytes by function, with the ranks that have the least and the most."""
        said = json.loads(run(self.reprise, "stats", "--json", trace))
        return {row.pop("function"): row for row in said["rows"]}

    def check_import(self, ranks: int) -> Path:
        imported = self.import_archive(ranks)
        recorded = self.record_own(ranks, self.options.program, self.folder / f"recorded-{ranks}.reprise")
        self.check_equal(f"recording and import on {ranks} ranks", recorded, imported, [*NOT_IN_ARCHIVES, *LACKING])
        info = json.loads(run(self.reprise, "info", "--json", imported))
        for parameter, words in LACKING.items():
            self.checks.true(f"the header lists {parameter}", words in info["options"], info["options"])
        self.checks.equal("nothing is lost", info["lost"], {})
        self.checks.equal(f"calls and bytes on {ranks} ranks", self.statistics(imported), self.statistics(recorded))
        self.checks.equal("simulated time without computation [ps]", self.simulated(imported), self.simulated(recorded))
        return imported

    def simulated(self, trace: Path) -> tuple[int, int]:
        said = json.loads(run(self.reprise, "simulate", "--json", "--compute", "none", *MACHINE, trace))
        return said["time_ps"], said["messages"]

    def check_generated(self, ranks: int, imported: Path) -> None:
        source, program = self.folder / "generated.c", self.folder / "generated"
        run(self.reprise, "generate", imported, "--language", "c", "--single-file", "-o", source)
        run(f"mpicc.{self.options.mpi}", "-o", program, source, "-lm")
        again = self.record_own(ranks, [str(program)], self.folder / "generated.reprise")
        self.check_equal("the generated program makes the imported calls", again, imported, NOT_IN_ARCHIVES)

    def check_extrapolated(self, imported: list[Path], ranks: int) -> None:
        out = self.folder / "extrapolated.reprise"
        run(self.reprise, "extrapolate", *imported[:-1], "--ranks", ranks, "-o", out)
        self.check_equal(f"extrapolated to {ranks} ranks", out, imported[-1], NOT_IN_ARCHIVES)
        said = json.loads(run(self.reprise, "simulate", "--json", *MACHINE, out))
        self.checks.true("the extrapolated trace is simulated", said["time_s"] > 0 and not said["deadlock"], str(said))


def main() -> int:
    parser = options_parser(__doc__)
    parser.add_argument("--recorder", type=Path, required=True)
    parser.add_argument("--ranks", required=True, help="such as 4,6,9,12,16")
    parser.add_argument("--no-extrapolation", action="store_true", help="also with several numbers of ranks")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    options.comms = ""
    options.program = [os.path.abspath(options.program[0]), *options.program[1:]]
    sizes = [int(n) for n in options.ranks.split(",")]
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        both = BothWays(checks, options, Path(name))
        imported = [both.check_import(ranks) for ranks in sizes]
        both.check_generated(sizes[0], imported[0])
        if len(sizes) > 1 and not options.no_extrapolation:
            both.check_extrapolated(imported, sizes[-1])
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
