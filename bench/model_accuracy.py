#!/usr/bin/env python3
"""How well models hold: workloads recorded in SMPI at several numbers of ranks, and `reprise model` on their traces.

    model_accuracy.py --build build/dev [--only NAME...] [--ranks 4 9 16 25 36 49] [--samples 200]

Computation has a locality that depends on P, imbalance and 5 % of noise. Prints the largest relative errors on fresh samples as
a Markdown table: of the paper's formula over P, of one plane for each P, and of the tangents; then of the formula and of the laws over P,
with this P left out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "smpi"), str(ROOT / "tests")]
import simulate_accuracy  # noqa: E402
from replay_accuracy import workloads  # noqa: E402

COMPUTE = {"COMPUTE_SCALE": "100", "COMPUTE_LOCALITY": "3", "COMPUTE_IMBALANCE": "0.3", "COMPUTE_NOISE": "0.05"}
WORKLOADS = ["stencil2d", "multipartition", "cannon", "reductions"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--recorder", type=Path, help="another build, with workloads and recorders")
    parser.add_argument("--ranks", type=int, nargs="+", default=[4, 9, 16, 25, 36, 49])
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--only", nargs="*", default=WORKLOADS)
    parser.add_argument("--keep", type=Path, help="a folder for the traces, which are taken from there next time")
    options = parser.parse_args()
    recorder = (options.recorder or options.build).resolve()
    simulate_accuracy.COMPUTE.clear()
    os.environ.update(COMPUTE)
    print("| workload | ranks | LocalityFactor | regions | formula | one plane | tangents | left out: formula | left out: laws |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, _, arguments in workloads():
        if name not in options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            traces = []
            for ranks in options.ranks:
                trace = (options.keep or Path(folder)) / f"{name}.{ranks}.reprise"
                traces.append(str(trace))
                program = [str(recorder / "workloads" / "smpi" / name), *arguments]
                if not trace.exists():
                    simulate_accuracy.record(recorder, Path(folder), ranks, program, trace)
            reprise = str(options.build.resolve() / "bin" / "reprise")
            words = [reprise, "model", "--json", "--samples", str(options.samples), *traces]
            run = subprocess.run(words, capture_output=True, text=True, check=False)
        if run.returncode:
            print(f"| {name} | {run.stderr.strip()} |")
            continue
        for size in json.loads(run.stdout)["sizes"]:
            errors = [size["predicted_error"], size["plane"]["largest_error"], size["tangents_error"]]
            errors += [size["predicted_error_left_out"], size["left_out_error"]]
            texts = ["-" if e is None else f"{100 * e:.2f} %" for e in errors]
            cells = [name, size["ranks"], f"{size['locality_factor']:.3f}", len(size["regions"]), *texts]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
