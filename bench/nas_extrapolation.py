#!/usr/bin/env python3
"""Extrapolates whole applications to held-out numbers of ranks and compares call for call; a Markdown table.

    nas_extrapolation.py --build build/dev TRACES...
    nas_extrapolation.py --build build/dev --record 4,8,16,32,64,128 PROGRAM...

TRACES is a folder of recordings named PROGRAM.RANKS.reprise. PROGRAM is built for SimGrid's SMPI with the recorder
linked in, and recorded here in a folder of its own, on each number of ranks, without times.

For each program the largest runs from --least to --most ranks are the inputs, at most --runs of them, and every larger
run is held out. A result is exact if `reprise diff` finds no difference to the recording; refused, with the reason; or
wrong. With --approximate, a result that differs and says that it is approximate is judged by the error of its volume and
of its simulated time. CPU time and peak memory are those of the extrapolation alone.

The exit status is 1 if a result is wrong.
"""

import argparse
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "smpi")]
from simulated import PATIENCE, launch, simulated  # noqa: E402

HEAD = ["program", "inputs", "ranks", "result", "CPU [s]", "memory [MB]", "why"]
REASON_LENGTH = 220  # [characters]


@dataclass
class Outcome:
    """What a command did, and what it took."""

    status: int
    said: str
    cpu: float  # [s]
    memory: float  # peak, resident [MB]


@dataclass
class Row:
    program: str
    inputs: str
    ranks: int
    result: str
    cpu: float
    memory: float
    why: str  # the reason of a refusal, the first difference, or how far an approximation is off

    def cells(self) -> list[str]:
        shown = {"wrong": "**wrong**", "failed": "**failed**"}.get(self.result, self.result)
        why = re.sub(r"\s+", " ", self.why).replace("|", "\\|")
        why = why if len(why) <= REASON_LENGTH else why[: REASON_LENGTH - 3] + "..."
        return [self.program, self.inputs, str(self.ranks or "fit"), shown, f"{self.cpu:.1f}", f"{self.memory:.0f}", why]


def measured(words: list[str], cpu_limit: int) -> Outcome:
    """Runs a command; it is killed when it has taken `cpu_limit` seconds of CPU time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit + 1))

    with tempfile.TemporaryFile(mode="w+") as said:
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT, preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return Outcome(process.returncode, said.read(), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def number_list(text: str) -> list[int]:
    return [int(n) for n in text.split(",")]


def recordings(paths: list[Path]) -> dict[str, dict[int, Path]]:
    """Traces by program and number of ranks."""
    found: dict[str, dict[int, Path]] = defaultdict(dict)
    for folder in paths:
        for trace in sorted(folder.glob("*.reprise")):
            if match := re.fullmatch(r"(.+)\.(\d+)\.reprise", trace.name):
                found[match[1]][int(match[2])] = trace
    return found


def input_runs(traces: dict[int, Path], least: int = 4, most: int = 36, runs: int = 5) -> list[int]:
    """The numbers of ranks of the runs that are extrapolated from."""
    return [n for n in sorted(traces) if least <= n <= most][-runs:]


class Bench:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.reprise = str(options.build.resolve() / "bin" / "reprise")

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.reprise, *map(str, words)], capture_output=True, text=True, check=False)

    def record(self, program: Path, ranks: int) -> Path:
        trace, run_folder = self.folder / f"{program.name}.{ranks}.reprise", self.folder / f"{program.name}.{ranks}"
        run_folder.mkdir()
        command = simulated(run_folder, ranks, [str(program.resolve())])
        with contextlib.chdir(run_folder):
            words = [self.reprise, "record", "--time", "none", "-o", str(trace), "--", *command]
            done = launch.run(words, None, self.options.patience)
        if done.returncode or not trace.exists():
            raise SystemExit(f"{program} on {ranks} ranks ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        if json.loads(self.run("info", "--json", trace).stdout)["cut_short"]:
            raise SystemExit(f"{program} on {ranks} ranks did not reach MPI_Finalize:\n{done.stdout}{done.stderr}")
        return trace

    def reason(self, outcome: Outcome) -> str:
        """The first line of a refusal, and the first parameter that it names."""
        lines = [line.strip() for line in outcome.said.splitlines() if line.strip()]
        start = next((i for i, line in enumerate(lines) if "no trace was made" in line), 0)
        return "; ".join(lines[start : start + 2]).removeprefix("reprise: ")

    def approximation(self, made: Path, recorded: Path) -> str:
        """How far an approximate trace is off in volume and, on the default machine, in simulated time."""
        infos = [json.loads(self.run("info", "--json", t).stdout) for t in (made, recorded)]
        times = [json.loads(self.run("simulate", "--json", "--compute", "none", t).stdout)["time_s"] for t in (made, recorded)]
        volume = infos[0]["bytes_sent"] / infos[1]["bytes_sent"] - 1
        return f"volume {100 * volume:+.2f} %, simulated time {100 * (times[0] / times[1] - 1):+.2f} %"

    def judge(self, program: str, traces: dict[int, Path], inputs: list[int], ranks: int) -> Row:
        made = self.folder / "made.reprise"
        made.unlink(missing_ok=True)
        words = [self.reprise, "extrapolate", *(str(traces[n]) for n in inputs), "--ranks", str(ranks), "-o", str(made)]
        words += ["--time-model", self.options.time_model] + (["--approximate"] if self.options.approximate else [])
        outcome = measured(words, self.options.cpu)
        described = program, ",".join(map(str, inputs)), ranks

        def row(result: str, why: str) -> Row:
            return Row(*described, result, outcome.cpu, outcome.memory, why)

        if outcome.status in (-9, -24):  # by the limit of CPU time
            return row("too slow", "")
        if outcome.status == 1 and "no trace was made" in outcome.said and not made.exists():
            return row("refused", self.reason(outcome))
        if outcome.status:
            return row("failed", outcome.said)
        difference = self.run("diff", "--ignore", "times,polls", made, traces[ranks])
        if difference.returncode == 0:
            return row("exact", "")
        if self.options.approximate and "approximate" in outcome.said:
            return row("approximate", self.approximation(made, traces[ranks]))
        return row("wrong", difference.stdout + difference.stderr)

    def fit(self, program: str, traces: dict[int, Path], inputs: list[int]) -> Row:
        """What fit takes, and for which numbers of ranks it says that the laws hold."""
        made = self.folder / "fitted.reprise"
        made.unlink(missing_ok=True)
        words = [self.reprise, "fit", *(str(traces[n]) for n in inputs), "-o", str(made)]
        outcome = measured(words + ["--time-model", self.options.time_model], self.options.cpu)
        result, why = "refused", self.reason(outcome)
        if outcome.status in (-9, -24):
            result, why = "too slow", ""
        elif outcome.status == 0:
            ranges = [line for line in self.run("info", made).stdout.splitlines() if line.startswith("ranks")]
            result, why = "fitted", ranges[0].removeprefix("ranks").strip() if ranges else ""
        return Row(program, ",".join(map(str, inputs)), 0, result, outcome.cpu, outcome.memory, why)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="TRACES | PROGRAM")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--record", type=number_list, metavar="RANKS", help="record programs on these numbers of ranks")
    parser.add_argument("--only", nargs="*", help="programs whose name begins with one of these")
    parser.add_argument("--least", type=int, default=4, help="ranks of the smallest input")
    parser.add_argument("--most", type=int, default=36, help="ranks of the largest input")
    parser.add_argument("--runs", type=int, default=5, help="how many inputs at most")
    parser.add_argument("--to", type=number_list, help="these held-out numbers of ranks alone")
    parser.add_argument("--approximate", action="store_true", help="pass --approximate to extrapolate")
    parser.add_argument("--time-model", choices=["curves", "paper", "none"], default="curves")
    parser.add_argument("--fit", action="store_true", help="a row for fit, too")
    parser.add_argument("--cpu", type=int, default=300, help="CPU time after which an extrapolation is too slow [s]")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="the longest simulation of one run [s]")
    parser.add_argument("--json", type=Path, help="a file for all rows, with reasons in full")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options, Path(scratch))
        if options.record:
            programs = {p.name: {n: bench.record(p, n) for n in options.record} for p in options.paths}
        else:
            programs = recordings(options.paths)
        print("| " + " | ".join(HEAD) + " |\n|---|---|---:|---|---:|---:|---|", flush=True)
        for program, traces in sorted(programs.items()):
            if options.only and not program.startswith(tuple(options.only)):
                continue
            inputs = input_runs(traces, options.least, options.most, options.runs)
            targets = [n for n in sorted(traces) if n > options.most and (not options.to or n in options.to)]
            if len(inputs) < 2:
                print(f"{program}: fewer than two recordings on {options.least} to {options.most} ranks", file=sys.stderr)
                continue
            steps = [lambda n=n: bench.judge(program, traces, inputs, n) for n in targets]
            steps += [lambda: bench.fit(program, traces, inputs)] if options.fit else []
            for step in steps:
                rows.append(step())
                print("| " + " | ".join(rows[-1].cells()) + " |", flush=True)
    counts = Counter(row.result for row in rows)
    print("\n" + ", ".join(f"{count} {result}" for result, count in counts.items()))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    return 1 if counts["wrong"] + counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
