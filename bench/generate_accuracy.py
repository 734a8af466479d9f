#!/usr/bin/env python3
"""How well a generated benchmark keeps time: programs in simulated time, beside what is written from their traces.

    generate_accuracy.py --build build/dev [--ranks 16 64 256] [--only NAME...] [--settings NAME...] [--patience SECONDS]
    generate_accuracy.py --build build/dev --ranks 16 --settings even --languages c conceptual paper
    generate_accuracy.py --build build/dev --ranks 16 --only stencil2d --settings even --what-if what_if.svg
    generate_accuracy.py --build build/dev --ranks 16 64 --settings drifting moving --steps 200
    generate_accuracy.py --build build/dev --ranks 4 9 16 --only amr poller irregular --detail statistical
    generate_accuracy.py --build build/dev --ranks 16 --languages c conceptual paper --programs bin/cg.W.x bin/mg.W.x

Prints a Markdown table: the simulated time of each program, and the relative error of its benchmarks; `-` where that takes
longer to simulate than one is patient, `refused` where no benchmark is written. Languages are `c`, `conceptual` (coNCePTuaL
with --times full, executed by lib/reprise-run-smpi), `ranks` (the same with --times ranks) and `paper`, which is
`conceptual` with the paper's substitutes of collectives.

Programs are those of examples/workloads.txt, which say what they compute (examples/compute.h), or, with --programs, any
that are built for SMPI with the recorder linked in: SMPI measures what these compute, and adds it to the simulated time.

With --what-if, the time of the benchmarks with 100 % of the computation down to none, in steps of 10 %, which is drawn
as well.
"""

import argparse
import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from replay_accuracy import COMMON, SETTINGS, launch, runs_on, simulated, simulated_time, workloads  # noqa: E402

WITHIN = 0.02
# A node of the platform is as fast as this machine. What SMPI measures over nothing can take more than a microsecond.
NOT_MEASURED, MEASURED = "smpi/simulate-computation:no", ["smpi/simulate-computation:yes", "smpi/host-speed:1Gf", "smpi/cpu-threshold:1e-5"]
PERCENTAGES = range(100, -1, -10)
COLORS = {"c": "#0b6", "conceptual": "#06b", "ranks": "#609", "paper": "#b60"}


def time_of(words: list[str], env: dict[str, str], patience: float) -> float:
    """Simulated [s]. What takes too long is ended with all that it has started."""
    environment = {**launch.environment(None), **env}
    run = subprocess.Popen(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = run.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        raise
    if run.returncode:
        sys.exit(f"{' '.join(words)} ended with {run.returncode}:\n{output}")
    return float(simulated_time(output))


@dataclass
class Case:
    """A program on so many ranks, in an environment."""

    name: str
    words: list[str]
    ranks: int
    env: dict[str, str]
    is_measured: bool  # SMPI measures what it computes


class Refused(Exception):
    """No benchmark is written of a trace."""


@dataclass
class Options:
    build: Path
    patience: float  # of each simulation [s]
    detail: str  # of benchmarks in C


class Recording:
    """The trace of a program, and its simulated time [s]."""

    def __init__(self, case: Case, scratch: Path, options: Options) -> None:
        self.case, self.scratch, self.options = case, scratch, options
        self.reprise, self.trace = str(options.build / "bin" / "reprise"), str(scratch / "t.reprise")
        words = self.simulated([w.replace("{tmp}", str(scratch)) for w in case.words])
        if case.is_measured:
            at = words.index(f"--cfg={NOT_MEASURED}")
            words[at : at + 1] = [f"--cfg={setting}" for setting in MEASURED]
        self.seconds = time_of([self.reprise, "record", "-o", self.trace, "--", *words], case.env, options.patience)

    def simulated(self, words: list[str]) -> list[str]:
        return simulated(self.scratch, self.case.ranks, words)

    def generate(self, *options: str) -> None:
        words = [self.reprise, "generate", "--force", *options, self.trace]
        if subprocess.run(words, stderr=subprocess.DEVNULL).returncode:
            raise Refused

    def time_of(self, words: list[str]) -> float:
        return time_of(self.simulated(words), {}, self.options.patience)


# The simulated time of a benchmark [s], with so many percent of the computation.
Benchmark = Callable[[int], float]


def in_c(recording: Recording) -> Benchmark:
    source, program = recording.scratch / "benchmark.c", recording.scratch / "benchmark"
    recording.generate("--detail", recording.options.detail, "-o", str(source))
    subprocess.run(["smpicc", "-O1", "-w", "-o", str(program), str(source)], check=True)
    return lambda percent: recording.time_of([str(program), "--compute-scale", str(percent / 100)])


def in_conceptual(recording: Recording, substitutes: str, times: str) -> Benchmark:
    source = recording.scratch / f"{substitutes}.{times}.ncptl"
    recording.generate("--language", "conceptual", "--substitute", substitutes, "--times", times, "-o", str(source))
    words = [str(recording.options.build / "lib" / "reprise-run-smpi"), str(source)]
    if "--compute_percent" not in source.read_text(encoding="utf-8"):
        return lambda percent: recording.time_of(words)  # nothing is computed
    return lambda percent: recording.time_of([*words, "--compute_percent", str(percent)])


LANGUAGES: dict[str, Callable[[Recording], Benchmark]] = {
    "c": in_c,
    "conceptual": lambda recording: in_conceptual(recording, "own", "full"),
    "ranks": lambda recording: in_conceptual(recording, "own", "ranks"),
    "paper": lambda recording: in_conceptual(recording, "paper", "full"),
}


def draw(title: str, times: dict[str, list[tuple[int, float]]], drawing: Path) -> None:
    """The paper's figure 7: how the time falls as computation gets faster. By language, percent and seconds."""
    top, left, width, height = 40, 60, 480, 240
    most = max(seconds for points in times.values() for _, seconds in points)
    x = lambda percent: left + width * (100 - percent) / 100  # noqa: E731
    y = lambda seconds: top + height * (1 - seconds / most)  # noqa: E731
    lines = [f'<line x1="{left}" y1="{y(s):.1f}" x2="{left + width}" y2="{y(s):.1f}" stroke="#ddd"/>'
             f'<text x="{left - 6}" y="{y(s) + 4:.1f}" text-anchor="end">{1e6 * s:.0f}</text>'
             for s in (most * part / 4 for part in range(5))]  # fmt: skip
    lines += [f'<text x="{x(p):.1f}" y="{top + height + 18}" text-anchor="middle">{p}</text>' for p in PERCENTAGES]
    for number, (language, points) in enumerate(times.items()):
        color = COLORS[language]
        lines.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="'
                     + " ".join(f"{x(p):.1f},{y(s):.1f}" for p, s in points) + '"/>')  # fmt: skip
        lines += [f'<circle cx="{x(p):.1f}" cy="{y(s):.1f}" r="3" fill="{color}"/>' for p, s in points]
        if len(times) > 1:
            lines.append(f'<text x="{left + width}" y="{top + 14 * (number + 1)}" text-anchor="end" '
                         f'fill="{color}">{language}</text>')  # fmt: skip
    drawing.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{top + height + 50}" '
        f'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="{left}" y="20" font-size="14">{title}: time [us] by computation [%]</text>\n'
        + "\n".join(lines) + "\n</svg>\n", encoding="utf-8",
    )  # fmt: skip


def what_if(case: Case, languages: list[str], options: Options, drawing: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        recording = Recording(case, Path(scratch), options)
        times = {}
        for language in languages:
            benchmark = LANGUAGES[language](recording)
            times[language] = [(percent, benchmark(percent)) for percent in PERCENTAGES]
    for row in zip(*times.values()):
        cells = [f"{1e6 * seconds:.0f} us, {100 * seconds / times[language][0][1]:.1f} %"
                 for language, (_, seconds) in zip(times, row)]  # fmt: skip
        print(f"| {row[0][0]} % | " + " | ".join(cells) + " |", flush=True)
    draw(re.sub(r"_", " ", f"{case.name} on {case.ranks} ranks"), times, drawing)


def errors_of(case: Case, languages: list[str], options: Options) -> tuple[float | None, list[float | str]]:
    """The simulated time of a program, and the relative error of each benchmark or why there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            recording = Recording(case, Path(scratch), options)
        except subprocess.TimeoutExpired:
            return None, ["-"] * len(languages)
        errors: list[float | str] = []
        for language in languages:
            try:
                errors.append(LANGUAGES[language](recording)(100) / recording.seconds - 1)
            except subprocess.TimeoutExpired:
                errors.append("-")
            except Refused:
                errors.append("refused")
        return recording.seconds, errors


def cases(options: argparse.Namespace, ranks: int) -> list[list[Case]]:
    """By program, one for each setting."""
    if options.programs:
        of_programs = [shlex.split(line) for line in options.programs]
        return [[Case(Path(words[0]).name, [str(Path(words[0]).resolve()), *words[1:]], ranks, {}, True)]
                for words in of_programs]  # fmt: skip
    folder = options.build.resolve() / "workloads" / "smpi"
    return [[Case(name, [str(folder / name), *words], ranks, {**COMMON, **SETTINGS[setting]}, False) for setting in options.settings]
            for name, rule, words in workloads(options.steps)
            if runs_on(rule, ranks) and (not options.only or name in options.only)]  # fmt: skip


def table(options: argparse.Namespace, ranks: int) -> None:
    settings = ["measured"] if options.programs else options.settings
    heads = [f"{s} [s] | " + " | ".join(f"{language} [%]" for language in options.languages) for s in settings]
    print(f"\nOn {ranks} ranks:\n\n| | " + " | ".join(heads) + " |")
    print("|---|" + "---:|" * (len(settings) * (1 + len(options.languages))))
    errors: dict[str, list[float]] = {language: [] for language in options.languages}
    of_benchmarks = Options(options.build.resolve(), options.patience, options.detail)
    for of_program in cases(options, ranks):
        cells = []
        for case in of_program:
            seconds, found = errors_of(case, options.languages, of_benchmarks)
            cells.append("-" if seconds is None else f"{seconds:.6f}")
            for language, error in zip(options.languages, found):
                cells.append(error if isinstance(error, str) else f"{100 * error:+.2f}")
                if not isinstance(error, str):
                    errors[language].append(abs(error))
        print(f"| {of_program[0].name} | " + " | ".join(cells) + " |", flush=True)
    for language, of_language in errors.items():
        if of_language:
            print(f"\n{language}: {summary(of_language)}.")


def summary(errors: list[float]) -> str:
    mean, median = statistics.mean(errors), statistics.median(errors)
    within = sum(error <= WITHIN for error in errors)
    return f"mean of the errors {100 * mean:.2f} %, median {100 * median:.2f} %; {within} of {len(errors)} within 2 %"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[16])
    parser.add_argument("--only", nargs="+", help="these examples")
    parser.add_argument("--steps", type=int, help="of examples that take steps")
    parser.add_argument("--programs", nargs="+", metavar="PROGRAM", help="these programs, each with its arguments in one word")
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=["c"])
    parser.add_argument("--patience", type=float, default=600, help="of each simulation [s]")
    parser.add_argument("--what-if", type=Path, metavar="SVG")
    parser.add_argument("--detail", choices=["exact", "mean", "statistical"], default="exact", help="of benchmarks in C")
    options = parser.parse_args()
    for ranks in options.ranks:
        if not options.what_if:
            table(options, ranks)
            continue
        of_benchmarks = Options(options.build.resolve(), options.patience, options.detail)
        for of_program in cases(options, ranks):
            for case in of_program:
                what_if(case, options.languages, of_benchmarks, options.what_if)
    return 0


if __name__ == "__main__":
    sys.exit(main())
