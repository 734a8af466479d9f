#!/usr/bin/env python3
"""Checks that links in Markdown pages lead to files of the tree and to headings that exist.

    check_links.py [ROOT]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def anchor(heading: str) -> str:
    """What a heading is called in a link, as GitHub makes it."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def wrong_links(page: Path, root: Path) -> list[str]:
    wrong = []
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = page if not path else page.parent / path
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: {link} leads to no file")
        elif heading and target.suffix == ".md" and heading not in anchors(target):
            wrong.append(f"{page.relative_to(root)}: {link} leads to no heading")
    return wrong


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    pages = [p for p in sorted(root.rglob("*.md")) if not {"build", ".git"} & set(p.relative_to(root).parts)]
    wrong = [text for page in pages for text in wrong_links(page, root)]
    for text in wrong:
        print(text, file=sys.stderr)
    if not wrong:
        print(f"the links of {len(pages)} pages lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
