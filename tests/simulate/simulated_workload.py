#!/usr/bin/env python3
"""Records a workload and simulates its trace on several machines.

    simulated_workload.py --reprise build/bin/reprise --mpi openmpi --ranks 4 [--leaps] -- PROGRAM ARGUMENT...

Every simulation must end without a deadlock and without messages that nobody receives; iterating loops, and taking steps
in the order of time, must give the same time to the picosecond; more latency must not make the run shorter. With --leaps,
loops must be advanced by arithmetic on every machine that allows it.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

MACHINES = {
    "dimemas": [],
    "making": ["--set", "collectives.making=none", "--set", "making.communicator=bcast barrier"],
    "rendezvous": ["--eager", "never"],
    "hockney": ["--set", "model=hockney", "--set", "network.overhead=200ns"],
    "loggp": ["--set", "model=loggp", "--set", "network.overhead=200ns", "--set", "network.gap=100ns"],
    "nodes": ["--set", "node.processors=2", "--set", "node.latency=200ns"],
    "models of collectives": ["--set", "collectives.model=dimemas"],
    "one bus": ["--set", "network.buses=1"],
    "links": ["--set", "node.input_links=1", "--set", "node.output_links=1"],
    "sampled": ["--compute", "sampled"],
}


def simulate(reprise: str, trace: Path, *options: str) -> dict:
    words = [reprise, "simulate", "--json", *options, str(trace)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode and "--wildcards recorded" in run.stderr:
        # What a master does next depends on who came first; with other matches its workers may wait in vain.
        print("wildcards as they were recorded:", *options)
        run = subprocess.run([*words, "--wildcards", "recorded"], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{' '.join(words)} ended with {run.returncode}:\n{run.stderr}")
    out = json.loads(run.stdout)
    if out["deadlock"] or out["unmatched_messages"]:
        sys.exit(f"{' '.join(words)}:\n{run.stderr}")
    return out


# What must be refused, and with which status.
MISUSE = [
    (["--bandwidth", "0"], 2),
    (["--latency", "-1us"], 2),
    (["--cpu-ratio", "0"], 2),
    (["--set", "network.speed=3"], 2),
    (["--set", "nonsense"], 2),
    (["--set", "mapping.nodes=0"], 1),
    (["--machine", "/nowhere.toml"], 1),
]


def check_misuse(reprise: str, trace: Path) -> None:
    for options, status in MISUSE:
        run = subprocess.run([reprise, "simulate", *options, str(trace)], capture_output=True, text=True, check=False)
        if run.returncode != status or not run.stderr.startswith("reprise: ") or run.stdout:
            sys.exit(f"simulate {' '.join(options)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--leaps", action="store_true", help="loops repeat")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        program = [word.replace("{tmp}", scratch) for word in options.program]
        trace = Path(scratch) / "trace.reprise"
        command = launch.command(options.mpi, options.ranks, program)
        # Whether a regime is found must not depend on how long this machine takes.
        times = ["--time", "none"] if options.leaps else []
        recorded = launch.run([options.reprise, "record", *times, "-o", str(trace), "--", *command], options.waiting)
        if recorded.returncode:
            print(recorded.stdout, recorded.stderr, f"recording ended with {recorded.returncode}", file=sys.stderr)
            return 1
        for name, machine in MACHINES.items():
            here = simulate(options.reprise, trace, *machine)
            print(f"{name}: {here['time_s']:.9f} s, {here['messages']} messages")
            if name in ("one bus", "links", "sampled") or here["in_order_of_time"]:
                continue
            if options.leaps and here["iterations_by_arithmetic"] == 0:
                print(f"{name}: no iteration by arithmetic", file=sys.stderr)
                return 1
            for other in ("--no-steady-state", "--in-order"):
                there = simulate(options.reprise, trace, *machine, other)
                if there["time_ps"] != here["time_ps"] or there["latencies"] != here["latencies"]:
                    print(f"{name}: {there['time_ps']} ps with {other}, {here['time_ps']} ps without", file=sys.stderr)
                    return 1
            slower = simulate(options.reprise, trace, *machine, "--latency", "50us")
            if slower["time_ps"] < here["time_ps"]:
                print(f"{name}: shorter with more latency", file=sys.stderr)
                return 1
        check_misuse(options.reprise, trace)
    return 0


if __name__ == "__main__":
    sys.exit(main())
