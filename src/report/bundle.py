#!/usr/bin/env python3
"""Makes one file of HTML of the page's modules, style and engine, with nothing to load.

    bundle.py FOLDER OUTPUT [ENGINE.wasm]

Modules import by `import { a, b } from "./x.js";` on one line, and export by `export` before a declaration. Each becomes
a function of its own, so that names do not meet. The content-security policy names what may run by its hash.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import sys
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const)) (\w+)", re.MULTILINE)


def bundle(folder: Path, entry: str) -> str:
    """The module and all that it imports, in the order in which they need each other."""
    done: dict[str, str] = {}

    def add(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise SystemExit(f"bundle.py: modules import each other: {' -> '.join([*path, name])}")
        if name in done:
            return
        text = (folder / f"{name}.js").read_text(encoding="utf-8")
        for _, module in IMPORT.findall(text):
            add(module, (*path, name))
        text = IMPORT.sub(lambda m: f"const {{{m[1]}}} = module_{m[2]};\n", text)
        names = ", ".join(name for _, name in EXPORT.findall(text))
        text = EXPORT.sub(r"\1 \2", text)
        done[name] = f"const module_{name} = (() => {{\n{text}\nreturn {{ {names} }};\n}})();\n"

    add(entry, ())
    return '"use strict";\n' + "".join(done.values())



def hash_of(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def main() -> None:
    if len(sys.argv) not in (3, 4):
        raise SystemExit("usage: bundle.py FOLDER OUTPUT [ENGINE.wasm]")
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    script, style = bundle(folder, "main"), (folder / "style.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src {hash_of(script)} 'wasm-unsafe-eval'; style-src {hash_of(style)}; "
        "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    engine = ""
    if len(sys.argv) == 4:
        # No time of day in it: the same sources make the same file.
        packed = gzip.compress(Path(sys.argv[3]).read_bytes(), 9, mtime=0)
        worker = bundle(folder, "worker")
        engine = (
            f'<script type="text/plain" id="worker">{worker}</script>\n'
            f'<script type="application/wasm" id="engine">{base64.b64encode(packed).decode()}</script>\n'
        )
        if "</script" in worker:
            raise SystemExit("bundle.py: a module has </script in it")
    page = (folder / "page.html").read_text(encoding="utf-8")
    for mark, text in {
        "@POLICY@": policy,
        "@STYLE@": style,
        "@ENGINE@\n": engine,
        "@SCRIPT@": script,
    }.items():
        page = page.replace(mark, text)
    output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
