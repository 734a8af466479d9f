#!/usr/bin/env python3
"""Executes the code cells of a notebook in order, as Jupyter would, in a folder of its own.

    run_notebook.py --reprise build/dev/bin/reprise --mpi openmpi NOTEBOOK PROGRAM

The notebook finds the command and the program by the environment. At its end `predicted` has to be a table of what it
predicts, and `predictions` the traces by their numbers of ranks; the messages in them are what the stencil sends.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402


def check(cells: dict[str, Any]) -> None:
    for ranks, trace in cells["predictions"].items():
        side = round(ranks**0.5)
        assert trace.ranks == ranks == side * side
        assert trace.comm_matrix("count").sum() == cells["STEPS"] * 4 * side * (side - 1)
    assert set(cells["predicted"].index) >= set(cells["predictions"])
    assert (cells["predicted"] > 0).all(axis=None)
    assert Path("scaling.png").stat().st_size > 0


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("program")
    options = parser.parse_args()
    notebook = json.loads(options.notebook.read_text(encoding="utf-8"))
    os.environ.update(launch.environment(options.waiting))
    os.environ.update(
        MPLBACKEND="Agg",
        REPRISE=options.reprise,
        REPRISE_MPIRUN=launch.LAUNCHERS[options.mpi],
        REPRISE_PROGRAM=options.program,
    )
    assert all(not c.get("outputs") for c in notebook["cells"]), "the notebook is kept without output"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        namespace: dict[str, Any] = {"__name__": "__main__"}
        for number, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"cell {number}", "exec"), namespace)  # noqa: S102
        check(namespace)
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
