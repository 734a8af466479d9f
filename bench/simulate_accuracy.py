#!/usr/bin/env python3
"""How well simulated times hold: programs in SimGrid's SMPI, beside `reprise simulate` on their traces.

    simulate_accuracy.py --build build/dev [--ranks 16 64 256] [--only NAME...] [--scale 0]

Both sides have the same machine: nodes whose links never are shared, 2 us and 1 GB/s between any two, messages up to
64 KiB eager, the same algorithm of each collective. Prints a Markdown table. Both repeat to the last digit.
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
from replay_accuracy import runs_on, workloads  # noqa: E402
from simulated import PATIENCE, launch, simulated_time  # noqa: E402

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="zone" routing="Full">
"""


def platform_of(ranks: int) -> str:
    """Nodes with one link between any two, which nothing shares."""
    hosts = "".join(f'<host id="node{i}" speed="1Gf"/>\n' for i in range(ranks))
    link = '<link id="link" bandwidth="1GBps" latency="2us" sharing_policy="FATPIPE"/>\n'
    routes = "".join(
        f'<route src="node{i}" dst="node{j}" symmetrical="NO"><link_ctn id="link"/></route>\n'
        for i in range(ranks)
        for j in range(ranks)
    )
    return f"{HEAD}{hosts}{link}{routes}</zone></platform>\n"


# The network as the sum that it says, and collectives whose steps both sides know.
SMPI = [
    "network/model:CM02",
    "network/crosstraffic:0",
    "network/TCP-gamma:0",
    "smpi/simulate-computation:no",
    "smpi/wtime:0",
    "smpi/display-timing:yes",
    "smpi/async-small-thresh:65537",
    "smpi/send-is-detached-thresh:65537",
    "smpi/barrier:ompi_bruck",
    "smpi/bcast:binomial_tree",
    "smpi/reduce:binomial",
    "smpi/allreduce:rdb",
    "smpi/gather:ompi_binomial",
    "smpi/scatter:ompi_binomial",
    "smpi/allgather:ring",
    "smpi/allgatherv:ring",
    "smpi/alltoall:ring",
    "smpi/alltoallv:ring",
    "smpi/reduce_scatter:mpich_pair",
    "smpi/test:1e-7",
    "smpi/iprobe:1e-7",
    "smpi/grow-injected-times:no",
]
# SMPI adds 16 bytes to each message: 16 ns.
OURS = {
    "model": "hockney",
    "network.latency": "2016ns",
    "network.bandwidth": "1GB/s",
    "node.latency": "2016ns",
    "node.bandwidth": "1GB/s",
    "collectives.barrier": "dissemination",
    "collectives.bcast": "binomial",
    "collectives.reduce": "binomial",
    "collectives.allreduce": "recursive-doubling",
    "collectives.gather": "binomial",
    "collectives.scatter": "binomial",
    "collectives.allgather": "pairwise",
    "collectives.allgatherv": "pairwise",
    "collectives.alltoall": "ring",
    "collectives.alltoallv": "ring",
    "collectives.alltoallw": "linear",
    "collectives.reduce-scatter": "pairwise",
    "collectives.scan": "linear",
    "collectives.making": "none",
    # What SMPI does when it makes communicators and windows, and around accesses to these.
    "making.split": "gather:linear scatter:linear",
    "making.communicator": "bcast",
    "making.window": "allgather",
    "windows.fence_begins": "barrier",
    "windows.fence_ends": "barrier",
    "windows.free": "barrier barrier",
    "windows.fetch_latencies": "1",
    "windows.accumulate": "waits",
    "windows.atomics": "locked",
}
# What ranks compute (examples/compute.h): some 2 to 200 us between calls, one rank half as slow again.
SCALE = "10"
COMPUTE = {"COMPUTE_SCALE": SCALE, "COMPUTE_SLOW": "0.5"}


def record(build: Path, folder: Path, ranks: int, program: list[str], trace: Path) -> float:
    """The program's simulated time [s]; its trace is written."""
    platform, hosts = folder / "platform.xml", folder / "hosts"
    platform.write_text(platform_of(ranks))
    hosts.write_text("".join(f"node{i}\n" for i in range(ranks)))
    log = ["--log=root.thres:critical", "--log=smpi_utils.thres:info", "--log=smpi.thres:info", "--log=root.fmt:%m%n"]
    files = ["-np", str(ranks), "-platform", str(platform), "-hostfile", str(hosts)]
    smpi = ["smpirun", *files, *(f"--cfg={s}" for s in SMPI), *log, *program]
    os.environ.update(COMPUTE)
    words = [str(build / "bin" / "reprise"), "record", "--force", "-o", str(trace), "--", *smpi]
    run = launch.run(words, None, PATIENCE)
    if run.returncode:
        raise RuntimeError(f"{program[0]} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    return float(simulated_time(run.stdout + run.stderr))


def simulate(reprise: Path, trace: Path) -> float:
    """The time that Reprise says [s]."""
    words = [str(reprise), "simulate", "--json", str(trace)]
    for key, value in OURS.items():
        words += ["--set", f"{key}={value}"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout)["time_s"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--recorder", type=Path, help="another build, with workloads and recorders")
    parser.add_argument("--ranks", type=int, nargs="+", default=[16])
    parser.add_argument("--only", nargs="*", help="these workloads")
    parser.add_argument("--keep", type=Path, help="a folder for traces and times of SMPI, which are taken from there next time")
    parser.add_argument("--scale", default=SCALE, help="of computation; 0: none, so that the trace cannot be vague about it")
    options = parser.parse_args()
    COMPUTE["COMPUTE_SCALE"] = options.scale
    recorder = (options.recorder or options.build).resolve()
    print("| workload | ranks | SMPI [s] | reprise [s] | error |")
    print("|---|---:|---:|---:|---:|")
    for name, rule, arguments in workloads():
        for ranks in options.ranks:
            if (options.only and name not in options.only) or not runs_on(rule, ranks):
                continue
            program = [str(recorder / "workloads" / "smpi" / name), *arguments]
            with tempfile.TemporaryDirectory() as folder:
                trace = (options.keep or Path(folder)) / f"{name}.{ranks}.reprise"
                known = trace.with_suffix(".seconds")
                try:
                    if known.exists():
                        alone = float(known.read_text())
                    else:
                        alone = record(recorder, Path(folder), ranks, program, trace)
                        known.write_text(repr(alone))
                    ours = simulate(options.build.resolve() / "bin" / "reprise", trace)
                except RuntimeError as error:
                    print(f"| {name} | {ranks} | {str(error).strip().splitlines()[-1]} | | |", flush=True)
                    continue
            print(f"| {name} | {ranks} | {alone:.6f} | {ours:.6f} | {100 * (ours - alone) / alone:+.2f} % |", flush=True)


if __name__ == "__main__":
    main()
