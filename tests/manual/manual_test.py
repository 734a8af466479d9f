#!/usr/bin/env python3
"""Man pages and completions: complete, without warnings of groff, and working in shells that are installed.

    manual_test.py --reprise build/dev/bin/reprise --manual build/dev/manual
"""

import argparse
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

REPRISE = ""
MANUAL = Path()


def out(*words: str, **more: str) -> str:
    run = subprocess.run(words, capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]
    return run.stdout + run.stderr


def subcommands() -> list[str]:
    text = out(REPRISE, "--help").partition("Subcommands:")[2]
    return re.findall(r"^  (\S+)", text, re.MULTILINE)


def options(*words: str) -> set[str]:
    text = out(REPRISE, *words, "--help").partition("Options:")[2]
    return set(re.findall(r"(--[a-z][\w-]*)", "\n".join(line.split("  ")[1] for line in text.splitlines() if line.startswith("  -"))))


def complete(*words: str) -> set[str]:
    """What bash offers for the last word, with the words split as readline does."""
    script = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_reprise
printf '%s\\n' "${COMPREPLY[@]}"
"""
    text = subprocess.run(["bash", "-c", script, "bash", str(MANUAL / "bash" / "reprise"), *words], capture_output=True, text=True, check=True)
    assert not text.stderr, text.stderr
    return set(text.stdout.split())


class Pages(unittest.TestCase):
    def test_one_for_each_subcommand(self) -> None:
        names = {f"reprise-{name}.1" for name in subcommands()} | {"reprise.1"}
        self.assertGreater(len(names), 20)
        self.assertEqual({path.name for path in (MANUAL / "man1").iterdir()}, names)

    def test_have_all_options(self) -> None:
        for name in subcommands():
            page = (MANUAL / "man1" / f"reprise-{name}.1").read_text(encoding="utf-8").replace("\\-", "-")
            self.assertEqual([o for o in sorted(options(name)) if o not in page], [], name)

    @unittest.skipUnless(shutil.which("groff"), "groff is missing")
    def test_have_no_warnings(self) -> None:
        for page in sorted((MANUAL / "man1").iterdir()):
            self.assertEqual(out("groff", "-man", "-ww", "-z", "-Tutf8", str(page)), "", page.name)

    @unittest.skipUnless(shutil.which("man"), "man is missing")
    def test_are_read_by_man(self) -> None:
        text = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", str(MANUAL / "man1" / "reprise-stats.1")],
            capture_output=True, text=True, check=True, env={"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        )
        self.assertEqual(text.stderr, "")
        for words in ("NAME", "reprise stats [OPTION...] file", "--by function|site|callpath", "Example: reprise stats --by site"):
            self.assertIn(words, text.stdout)


class Bash(unittest.TestCase):
    def test_is_valid(self) -> None:
        self.assertEqual(out("bash", "-n", str(MANUAL / "bash" / "reprise")), "")

    def test_subcommands(self) -> None:
        self.assertEqual(complete("reprise", "st"), {"stats"})
        self.assertLessEqual(set(subcommands()), complete("reprise", ""))
        self.assertEqual(complete("reprise", "help", "symb"), {"symbolize"})

    def test_options(self) -> None:
        for name in subcommands():
            if name not in ("help", "transform"):
                self.assertEqual(complete("reprise", name, "--"), options(name) | {"--help"}, name)

    def test_values(self) -> None:
        self.assertEqual(complete("reprise", "stats", "--by", ""), {"function", "site", "callpath"})
        self.assertEqual(complete("reprise", "stats", "--by", "s"), {"site"})
        self.assertEqual(complete("reprise", "stats", "--by", "=", "s"), {"site"})
        self.assertEqual(complete("reprise", "stats", "--by", "="), {"function", "site", "callpath"})

    def test_nested_subcommands(self) -> None:
        self.assertEqual(complete("reprise", "transform", "res"), {"resolve"})
        self.assertEqual(complete("reprise", "transform", "resolve", "--or"), {"--orders"})

    def test_commands_to_run(self) -> None:
        self.assertIn("bash", complete("reprise", "record", "-o", "t", "--", "bas"))

    def test_files_otherwise(self) -> None:
        self.assertEqual(complete("reprise", "stats", "app"), set())  # bash completes files: -o default
        text = out("bash", "-c", f"source {MANUAL}/bash/reprise; complete -p reprise")
        self.assertEqual(text.strip(), "complete -o default -F _reprise reprise")


@unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
class Zsh(unittest.TestCase):
    def test_is_valid(self) -> None:
        self.assertEqual(out("zsh", "-n", str(MANUAL / "zsh" / "_reprise")), "")


@unittest.skipUnless(shutil.which("fish"), "fish is missing")
class Fish(unittest.TestCase):
    def offered(self, line: str) -> set[str]:
        script = f"source {MANUAL}/fish/reprise.fish; complete -C '{line}'"
        run = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(run.stderr, "")
        return {text.split("\t")[0] for text in run.stdout.splitlines()}

    def test_completes(self) -> None:
        self.assertEqual(self.offered("reprise st"), {"stats"})
        self.assertEqual(self.offered("reprise stats --by "), {"function", "site", "callpath"})
        self.assertEqual(self.offered("reprise transform resolve --or"), {"--orders"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--manual", type=Path, required=True)
    parsed = parser.parse_args()
    REPRISE, MANUAL = parsed.reprise, parsed.manual
    sys.exit(not unittest.main(argv=[sys.argv[0]], exit=False).result.wasSuccessful())
