#!/usr/bin/env python3
"""Programs written from traces whose names, files and command lines would end comments, strings and lines.

    names.py --reprise build/bin/reprise --make make_hostile_traces --cc mpicc.mpich

What is written has the statements of the program of harmless names, and no more: C compiles without a warning, Python is
parsed and has the same tree, coNCePTuaL is checked and has the same statements, JSON is read. Nothing in it talks to a
terminal. The same of scalable traces.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import check  # noqa: E402

# Trigraphs are those of C99; their warnings, and those of comments within comments and lines that go on, are errors.
STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wtrigraphs", "-Wcomment", "-Werror", "-c"]
LANGUAGES = {
    "c": [],
    "single": ["--single-file"],
    "python": ["--language", "python"],
    "conceptual": ["--language", "conceptual"],
    "exact": ["--language", "conceptual", "--exact"],
}
TALK = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
HARMLESS = "a"


def tree_of(python: str) -> list[str]:
    """The kinds of all nodes, without what names and strings hold."""
    return [type(node).__name__ for node in ast.walk(ast.parse(python))]


def words_of(conceptual: str) -> list[str]:
    """Without comments and what strings hold, and with one name for all options of functions."""
    plain = re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"(?m)^\s*#.*$", "", conceptual))
    return re.sub(r"percent_\w+", "percent_f", plain).split()


class Examined:
    def __init__(self, options: argparse.Namespace, folder: Path, checks: check.Checks) -> None:
        self.options, self.folder, self.checks = options, folder, checks
        self.harmless: dict[str, list[str]] = {}

    def run(self, *words: object) -> tuple[bool, bytes]:
        done = subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, check=False)
        return done.returncode == 0, done.stdout + done.stderr

    def program(self, trace: Path, language: str, number: str) -> None:
        """Of a trace, or of a scalable one; `number` of the names, "harmless" first."""
        name = f"{trace.name} in {language}"
        out = self.folder / "out" / f"benchmark.{'c' if language == 'single' else language}"
        out.parent.mkdir(exist_ok=True)
        written, said = self.run(self.options.reprise, "generate", "--force", *LANGUAGES[language], trace, "-o", out)
        self.checks.true(f"{name}: is written", written, f"  {said!r}")
        if not written:
            return
        text = out.read_bytes().decode("utf-8")
        found = TALK.search(text)
        self.checks.true(f"{name}: talks to nobody", found is None, f"  {found and text[max(0, found.start() - 60) : found.end() + 20]!r}")
        key = f"{trace.suffix} {language}"
        if language in ("c", "single"):
            compiled, said = self.run(self.options.cc, *STRICT, "-x", "c", "-o", "out/benchmark.o", out)
            self.checks.true(f"{name}: compiles", compiled, f"  {said!r}")
            shape = [line.split()[-1] for line in self.run("nm", "-g", "out/benchmark.o")[1].decode().splitlines()]
        elif language == "python":
            shape = tree_of(text)
        else:
            checked, said = self.run(self.options.reprise, "run", "--check", out)
            self.checks.true(f"{name}: is checked", checked, f"  {said!r}")
            shape = words_of(text)
        if number == HARMLESS:
            self.harmless[key] = shape
        self.checks.true(f"{name}: has the same statements", shape == self.harmless[key], f"  {text}")

    def shown(self, trace: Path) -> None:
        for words in ("show", "show --callpaths", "info", "stats --by callpath", "show --flat --rank 0"):
            done, said = self.run(self.options.reprise, *words.split(), trace)
            found = TALK.search(said.decode("utf-8"))
            self.checks.true(f"{words} {trace.name}", done and found is None, f"  {said!r}")
        for words in ("show --json", "info --json", "stats --by callpath --json", "show --flat --json --rank 0"):
            done, said = self.run(self.options.reprise, *words.split(), trace)
            try:
                json.loads(said.decode("ascii"))
            except ValueError as e:
                done, said = False, str(e).encode()
            self.checks.true(f"{words} {trace.name}", done, f"  {said!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--make", required=True)
    parser.add_argument("--cc", required=True)
    options = parser.parse_args()
    checks = check.Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        subprocess.run([options.make, scratch, "talking"], check=True)
        examined = Examined(options, folder, checks)
        numbers = sorted({t.name.split(".")[0] for t in folder.glob("*.talking")} - {HARMLESS}, key=int)
        for number in [HARMLESS, *numbers]:
            samples = [folder / f"{number}.{ranks}.sample" for ranks in (4, 6, 9)]
            trace, laws = folder / f"{number}.talking", folder / f"{number}.laws"
            fitted, said = examined.run(options.reprise, "fit", *samples, "-o", laws)
            checks.true(f"fit {number}", fitted, f"  {said!r}")
            for language in LANGUAGES:
                examined.program(trace, language, number)
                if language != "exact":
                    examined.program(laws, language, number)
            examined.shown(trace)
        executed = list(folder.rglob("EXECUTED"))
        checks.true("nothing was executed", not executed, f"  {executed}")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
