#!/usr/bin/env python3
"""Mixed, incomplete and damaged traces of ranks and logs are refused with a reason, by `merge` and by replays."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

RANKS = 3


class Tester:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.failed = False

    def record(self, name: str, *how: str) -> Path:
        trace = self.folder / name
        program = [str(self.options.workloads / "stencil2d"), "--steps", "3", "--cells", "4x4"]
        command = launch.command(self.options.mpi, RANKS, program)
        done = launch.run([self.options.reprise, "record", "-o", str(trace), *how, "--", *command], self.options.waiting)
        assert done.returncode == 0, done.stderr
        return trace

    def expect(self, what: str, done: subprocess.CompletedProcess[str], message: str) -> None:
        good = done.returncode != 0 and message in done.stdout + done.stderr
        print(("ok   " if good else "FAIL ") + what)
        if not good:
            self.failed = True
            print(f"status {done.returncode}, not {message!r}:\n{done.stdout}{done.stderr}", file=sys.stderr)

    def merge(self, what: str, inputs: list[Path], message: str) -> None:
        words = [self.options.reprise, "merge", "-o", str(self.folder / "out"), *map(str, inputs)]
        self.expect(f"merge: {what}", subprocess.run(words, capture_output=True, text=True, check=False), message)

    def replay(self, what: str, form: Path, message: str, ranks: int = 0) -> None:
        if ranks:
            program = [str(Path(self.options.reprise).parent / "reprise-replay"), str(form)]
            command = launch.command(self.options.mpi, ranks, program)
        else:
            command = [self.options.reprise, "replay", "--mpi", self.options.mpi, str(form)]
        self.expect(f"replay: {what}", launch.run(command, self.options.waiting, 60), message)

    def rank_traces(self) -> None:
        one, other = self.record("one", "--merge", "none"), self.record("other", "--merge", "none")
        whole = self.record("whole")
        files, others = ([Path(f"{t}.{r}") for r in range(RANKS)] for t in (one, other))
        self.merge("a rank's trace is missing", [files[0], files[2]], "the trace of rank 1 is missing")
        self.merge("a rank twice", [*files, files[1]], "rank 1 comes twice")
        self.merge("two runs", [files[0], files[1], others[2]], "is not of the run")
        self.merge("a trace of all ranks", [whole], "the trace of a whole run already")
        self.merge("a rank's trace and one of all ranks", [files[0], whole], "the trace of a whole run already")
        self.replay("more ranks than there are", one, "cannot be replayed on 4 ranks", RANKS + 1)
        self.replay("fewer ranks than there are", one, "cannot be replayed on 2 ranks", RANKS - 1)
        self.replay("one rank's trace", files[1], "is the trace of rank 1 alone", RANKS)
        shutil.copy(files[0], files[1])
        self.replay("one rank's trace as another's", one, "one.1 is not the trace of rank 1 alone")
        shutil.copy(others[1], files[1])
        self.replay("traces of two runs", one, "traces of several runs")
        files[1].unlink()
        self.replay("a rank's trace is missing", one, "one.1 is missing")
        self.replay("a rank's trace is missing, under a launcher", one, "one.1 is missing", RANKS)

    def logs(self) -> None:
        folder = self.folder / "logs"
        whole = self.record("logged", "--flat", str(folder))
        logs = [folder / f"rank-{r}-thread-0.log" for r in range(RANKS)]
        self.merge("logs and a trace", [*logs, whole], "is not a flat log")
        self.merge("a trace and logs", [self.folder / "other.0", *logs], "is not a part or trace of a rank")
        self.merge("a log is missing", [logs[0], logs[2]], "rank-1-thread-0.log is missing")
        self.merge("the last log is missing", logs[:2], f"rank {RANKS - 1} of {RANKS - 1}")
        self.merge("an empty folder", [Path(tempfile.mkdtemp(dir=self.folder))], "has no flat logs")
        self.merge("two folders", [folder, folder], "is a folder")
        self.replay("more ranks than logs", folder, "cannot be replayed on 4 ranks", RANKS + 1)
        text = logs[1].read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        logs[1].write_text("".join([*lines[:5], "MPI_Nothing polls=0\n", *lines[5:]]), encoding="utf-8")
        self.merge("a damaged line", [folder], "rank-1-thread-0.log:6 makes no sense")
        self.replay("a damaged line", folder, "rank-1-thread-0.log:6 makes no sense")
        logs[1].write_text("".join(lines[:-1]), encoding="utf-8")
        self.replay("a log that does not end", folder, "rank 1 never came to MPI_Finalize")
        logs[1].write_text(text[:-5], encoding="utf-8")
        self.merge("a line that is cut short", [folder], "the line has no end")
        logs[1].unlink()
        self.replay("a log is missing", folder, "rank-1-thread-0.log is missing")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--workloads", required=True, type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(options, Path(folder))
        tester.rank_traces()
        tester.logs()
    return 1 if tester.failed else 0


if __name__ == "__main__":
    sys.exit(main())
