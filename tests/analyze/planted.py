#!/usr/bin/env python3
"""Plants faults in a program, one at a time, and checks that `reprise analyze` finds, names and locates each of them.

    planted.py --reprise build/bin/reprise --ranks 8 FAULTS

FAULTS is examples/faults.c, built with smpicc: in simulated time its computation is the same to the nanosecond in each
run. What a finding costs must be what planting it cost, the difference of two simulated times, within 5 %. The first
finding must be the one that was planted; others may be there if they say that they have the same cause.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "smpi"))
import launch  # noqa: E402
from check import Checks  # noqa: E402
from simulated import simulated  # noqa: E402

STEPS = 20
WITHIN = 0.05
PATIENCE = 300  # [s]


@dataclass
class Fault:
    option: str
    value: int
    finding: str
    function: str  # the call where it shows
    place: str  # the function of the program that makes the call
    ranks: list[int]
    culprits: list[int] | None = None  # None: they are not told apart from the ranks
    machine: list[str] = field(default_factory=list)
    steps: int = STEPS
    is_recorded: bool = False  # planting it costs what the recorded run takes longer: the simulated one has means


def faults(ranks: int) -> list[Fault]:
    everyone, even, odd = list(range(ranks)), list(range(0, ranks, 2)), list(range(1, ranks, 2))
    nodes = ["--set", "node.processors=2", "--set", "node.latency=100ns", "--set", "node.bandwidth=50GB/s"]
    return [
        Fault("--late-sender", 200, "late-sender", "MPI_Recv", "pairs_send", odd, even),
        Fault("--late-receiver", 200, "late-receiver", "MPI_Send", "pairs_receive", odd, even),
        Fault("--slow-rank", 200, "imbalance", "MPI_Allreduce", "sum_up", [1], [1]),
        Fault("--jitter", 50, "variation", "MPI_Allreduce", "sum_up", everyone, steps=400, is_recorded=True),
        Fault("--stall", 4000, "long-executions", "MPI_Allreduce", "sum_up", [ranks - 1], [ranks - 1]),
        Fault("--early-root", 200, "early-reduce", "MPI_Reduce", "reduce_to_root", [0], everyone[1:]),
        Fault("--late-root", 200, "late-broadcast", "MPI_Bcast", "broadcast", everyone[1:], [0]),
        Fault("--drift", 400, "drift", "MPI_Allreduce", "grow", everyone, everyone),
        Fault("--serial-phase", 200, "serial-phase", "MPI_Barrier", "broadcast", [0], [0]),
        Fault("--far-partners", 1, "bad-mapping", "MPI_Sendrecv", "exchange", everyone, None, nodes),
        Fault(
            "--one-receiver", 1, "receiver-contention", "MPI_Send", "deliver", [0], None, ["--set", "model=loggp"]
        ),
    ]


def expand(ranges: list[list[int]]) -> list[int]:
    return [rank for first, last in ranges for rank in range(first, last + 1)]


class Bench:
    def __init__(self, reprise: str, program: str, ranks: int, folder: Path) -> None:
        self.reprise, self.program, self.ranks, self.folder = reprise, program, ranks, folder

    def record(self, *arguments: str, steps: int = STEPS) -> Path:
        trace = self.folder / ("_".join(("run", str(steps), *arguments)).replace("--", "") + ".reprise")
        if not trace.exists():
            words = [self.program, "--steps", str(steps), *arguments]
            command = [self.reprise, "record", "--time-precision", "0", "-o", str(trace), "--", *simulated(self.folder, self.ranks, words)]
            run = launch.run(command, None, PATIENCE)
            if run.returncode:
                raise RuntimeError(f"recording {words} ended with status {run.returncode}:\n{run.stdout}{run.stderr}")
        return trace

    def ask(self, what: str, trace: Path, machine: list[str]) -> dict:
        command = [self.reprise, what, str(trace), "--json", *machine]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout)

    def time(self, trace: Path, machine: list[str]) -> float:
        return self.ask("simulate", trace, machine)["time_s"]

    def recorded_time(self, trace: Path) -> float:
        return self.ask("info", trace, [])["duration_us"] * 1e-6


def check_fault(checks: Checks, bench: Bench, fault: Fault) -> None:
    name = fault.option.removeprefix("--")
    faulty, sound = bench.record(fault.option, str(fault.value), steps=fault.steps), bench.record(steps=fault.steps)
    if fault.is_recorded:
        planted = bench.recorded_time(faulty) - bench.recorded_time(sound)
    else:
        planted = bench.time(faulty, fault.machine) - bench.time(sound, fault.machine)
    findings = bench.ask("analyze", faulty, fault.machine)["findings"]
    if not checks.true(f"{name}: something is found", bool(findings), "  nothing is found"):
        return
    # The finding that was planted comes first, or is one of those that have the cause of the first.
    same = [f for f in findings if f["id"] == fault.finding]
    if not checks.true(f"{name}: named", bool(same), f"  found: {[f['id'] for f in findings]}"):
        return
    found = same[0]
    others = [f["id"] for i, f in enumerate(findings) if f is not found and f.get("same_cause_as") is None and i > 0]
    checks.equal(f"{name}: nothing else", others, [])
    checks.equal(f"{name}: function", found["at"]["function"], fault.function)
    checks.true(f"{name}: place", found["at"]["place"].startswith(fault.place + " "), f"  {found['at']['place']}")
    checks.equal(f"{name}: ranks", expand(found["ranks"]), fault.ranks)
    if fault.culprits is not None:
        checks.equal(f"{name}: culprits", expand(found["cause"]["ranks"]), fault.culprits)
    off = abs(found["cost_s"] - planted) / planted
    checks.true(f"{name}: cost", off <= WITHIN, f"  found {found['cost_s']:.6g} s, planted {planted:.6g} s")
    print(f"  found {found['cost_s'] * 1e3:.4f} ms, planted {planted * 1e3:.4f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("program")
    options = parser.parse_args()
    os.environ["COMPUTE_SCALE"] = "1"
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.reprise, options.program, options.ranks, Path(scratch))
        for fault in faults(options.ranks):
            if fault.machine not in ([],):
                found = bench.ask("analyze", bench.record(), fault.machine)["findings"]
                checks.equal(f"{fault.option.removeprefix('--')}: nothing without it", [f["id"] for f in found], [])
            check_fault(checks, bench, fault)
        found = bench.ask("analyze", bench.record(), [])["findings"]
        checks.equal("balanced", [f["id"] for f in found], [])
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
