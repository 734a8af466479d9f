#!/usr/bin/env python3
"""Checks that the stages of src/ depend on each other as src/README.md draws it.

    check_layers.py [ROOT]

Includes, links in CMake and the folders are held against one table, the one below. A file is judged by its folder.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# What each stage may use directly; what those use, it may use too.
ALLOWED: dict[str, set[str]] = {
    "base": set(),
    "expr": {"base"},
    "fit": {"expr"},
    "solve": {"expr"},
    "trace": {"expr"},
    "mpi": {"trace"},
    "infer": {"mpi"},
    "api": {"mpi"},
    "compress": {"infer"},
    "code": {"compress"},
    "record": {"compress"},
    "analyze": {"mpi"},
    "program": {"infer", "analyze", "fit"},
    "write": {"program", "transform", "conceptual"},
    "transform": {"compress"},
    "extrapolate": {"compress", "fit", "solve"},
    "scalable": {"extrapolate", "program", "generate", "conceptual"},
    "generate": {"transform", "write"},
    "conceptual": {"expr"},
    "replay": {"mpi"},
    "simulate": {"analyze"},
    "diagnose": {"simulate"},
    "model": {"simulate", "fit"},
    "convert": {"simulate", "compress"},
    "report": {"simulate", "write"},
}
ALLOWED["cli"] = set(ALLOWED)
# Says what the command says, in the same words.
ALLOWED["python"] = {"cli"}

# What is in these is text of the programs that are written.
TEXT_FOLDERS = {"runtime"}
# Stages with code that is compiled against an MPI library. All others build where there is none.
MPI_STAGES = {"record", "replay", "conceptual"}
# Stages that write to the terminal: the command, the recorder when it must warn, and the programs that ranks run.
PRINTING_STAGES = {"cli", "record", "replay", "conceptual"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SUFFIXES = {".cpp", ".hpp", ".c", ".h", ".inc"}


def reachable(stage: str) -> set[str]:
    """The stage and all that it may use. Raises ValueError if the table has a cycle."""
    found: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(f"the table of layers has a cycle: {' -> '.join([*path, name])}")
        found.add(name)
        for below in ALLOWED[name]:
            visit(below, (*path, name))

    visit(stage, ())
    return found


def includes(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line, name and whether it is in quotes, for each include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := INCLUDE.match(line):
            yield number, match[2], match[1] == '"'


def check_stage(root: Path, stage: str) -> list[str]:
    wrong = []
    allowed = reachable(stage)
    for path in sorted((root / "src" / stage).rglob("*")):
        if path.suffix not in SUFFIXES or path.parent.name in TEXT_FOLDERS:
            continue
        is_test = path.stem.endswith(("_test", "_fuzz"))
        for line, name, quoted in includes(path):
            where = f"{path.relative_to(root)}:{line}"
            top = name.partition("/")[0]
            if name == "mpi.h" and stage not in MPI_STAGES:
                wrong.append(f"{where}: {stage} includes mpi.h (only {', '.join(sorted(MPI_STAGES))} may)")
            elif name in ("iostream", "print") and stage not in PRINTING_STAGES and not is_test:
                wrong.append(f"{where}: {stage} includes <{name}> (only {', '.join(sorted(PRINTING_STAGES))} print)")
            elif quoted and top in ALLOWED and top not in allowed:
                wrong.append(f"{where}: {stage} includes {name}, but {stage} may only use {', '.join(sorted(allowed))}")
            elif quoted and "/" in name and top not in ALLOWED and top != "reprise":
                wrong.append(f"{where}: {name} is in no stage; write its path from src/")
    return wrong


def check_public_headers(root: Path) -> list[str]:
    """They are installed: of the tree they may include each other alone."""
    wrong = []
    for path in sorted((root / "include").rglob("*.h*")):
        for line, name, quoted in includes(path):
            if quoted and not name.startswith("reprise/"):
                wrong.append(f"{path.relative_to(root)}:{line}: a public header includes {name}, which is not installed")
    return wrong


def linked_stages(text: str) -> set[str]:
    """The stages that a CMakeLists.txt links with: every target's name but the one that it defines."""
    defined = set(re.findall(r"(?:reprise_stage|add_executable|add_library)\(\s*(?:reprise_)?(\w+)", text))
    return {name for name in re.findall(r"\breprise_(\w+)\b", text) if name in ALLOWED and name not in defined}


def check_links(root: Path, stage: str) -> list[str]:
    path = root / "src" / stage / "CMakeLists.txt"
    if not path.exists():
        return [f"src/{stage} has no CMakeLists.txt"]
    linked = linked_stages(path.read_text(encoding="utf-8"))
    where = path.relative_to(root)
    wrong = [f"{where}: {stage} links with {name}, which it may not use" for name in sorted(linked - reachable(stage))]
    available = {stage}.union(*(reachable(name) for name in linked))
    used = {
        name.partition("/")[0]
        for source in (root / "src" / stage).rglob("*")
        if source.suffix in SUFFIXES
        for _, name, quoted in includes(source)
        if quoted and name.partition("/")[0] in ALLOWED
    }
    wrong += [f"{where}: {stage} includes {name} but does not link with it" for name in sorted(used - available)]
    return wrong


def check_folders(root: Path, stages: list[str]) -> list[str]:
    readme = root / "src" / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    wrong = [f"src/{stage} is not in the table of layers (tools/check_layers.py)" for stage in stages if stage not in ALLOWED]
    wrong += [f"src/README.md does not name the folder {stage}/" for stage in stages if f"`{stage}/`" not in text]
    present = [stage for stage in ALLOWED if stage in stages]
    for stage, line in re.findall(r"^\| `(\w+)/` \|.*\| (.*) \|$", text, re.MULTILINE):
        named = set(re.findall(r"`(\w+)`", line))
        # A stage that does not exist yet cannot be named: what it stands on is named in its place.
        expected = {below for below in direct(stage, set(stages))} if stage in present else named
        if stage != "cli" and named != expected:
            wrong.append(f"src/README.md: {stage} uses {', '.join(sorted(expected)) or 'nothing'}, not {', '.join(sorted(named)) or 'nothing'}")
    return wrong


def direct(stage: str, stages: set[str]) -> set[str]:
    """What a stage may use directly, those that do not exist replaced by what they may use."""
    out: set[str] = set()
    for below in ALLOWED[stage]:
        out |= {below} if below in stages else direct(below, stages)
    return out


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    stages = sorted(path.name for path in (root / "src").iterdir() if path.is_dir())
    wrong = check_folders(root, stages)
    for stage in stages:
        if stage in ALLOWED:
            wrong += check_stage(root, stage) + check_links(root, stage)
    wrong += check_public_headers(root)
    for text in wrong:
        print(text, file=sys.stderr)
    if not wrong:
        print(f"{len(stages)} stages depend on each other as they should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
