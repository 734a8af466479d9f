#!/usr/bin/env python3
"""How well simulated times hold: Dimemas and LogGOPSim, beside `reprise simulate`, on the same traces and machines.

    simulators.py --dimemas PATH/TO/Dimemas TRACE...
    simulators.py --loggopsim PATH/TO/LogGOPSim --txt2bin PATH/TO/txt2bin TRACE...

Every trace is exported for every machine of a sweep, and the tool runs what has been written, unmodified. Prints a row of a
Markdown table for each: what the tool says, what Reprise says, the difference, and the greatest difference of any rank.
With --brief a row for each machine: the greatest differences over all traces. `--only WORD...` takes the machines whose
settings contain one of the words.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Slow enough for messages to matter in traces that compute little.
SLOW = "network.latency=10us node.latency=10us network.bandwidth=100MB/s node.bandwidth=100MB/s"
DIMEMAS = [
    "",
    SLOW,
    f"{SLOW} network.latency=50us",
    f"{SLOW} network.latency=0s node.latency=0s",
    f"{SLOW} network.bandwidth=20MB/s",
    f"{SLOW} node.cpu_ratio=2",
    f"{SLOW} node.processors=4",
    f"{SLOW} node.processors=4 node.latency=1us node.bandwidth=1GB/s",
    f"{SLOW} node.processors=2 mapping.kind=cyclic node.latency=1us",
    f"{SLOW} network.eager=0",
    f"{SLOW} network.eager=1000",
    f"{SLOW} network.eager=never",
    f"{SLOW} network.buses=1",
    f"{SLOW} network.buses=3",
    f"{SLOW} node.output_links=1",
    f"{SLOW} node.input_links=1",
    f"{SLOW} node.input_links=2",
    f"{SLOW} node.input_links=1 node.output_links=1",
    f"{SLOW} node.input_links=2 node.output_links=1",
    f"{SLOW} node.input_links=1 node.output_links=1 network.buses=2",
    f"{SLOW} node.processors=2 node.input_links=1 node.output_links=1",
    f"{SLOW} node.input_links=1 node.output_links=1 network.eager=0",
    f"{SLOW} collectives.model=dimemas",
    f"{SLOW} collectives.model=dimemas node.processors=2 node.latency=2us",
    f"{SLOW} collectives.model=dimemas network.buses=2",
]
LOGGOPS = [
    "network.latency=2500ns network.overhead=1500ns network.gap=1000ns network.bandwidth=166666667B/s",
    "network.latency=0s network.overhead=0s network.gap=0s network.bandwidth=1GB/s",
    "network.latency=10us network.overhead=0s network.gap=0s network.bandwidth=1GB/s",
    "network.latency=1us network.overhead=5us network.gap=0s network.bandwidth=1GB/s",
    "network.latency=1us network.overhead=1us network.gap=20us network.bandwidth=1GB/s",
    "network.latency=1us network.overhead=1us network.gap=0s network.bandwidth=20MB/s",
    "network.latency=1us network.overhead=1us network.gap=0s network.bandwidth=1GB/s network.eager=0",
    "network.latency=1us network.overhead=1us network.gap=0s network.bandwidth=20MB/s network.eager=1000",
    "network.latency=1us network.overhead=1us network.gap=0s network.bandwidth=1GB/s network.overhead_per_byte=1ns",
    "network.latency=1us network.overhead=1us network.gap=0s network.bandwidth=1GB/s network.overhead_per_byte=20ns",
]
# Making a communicator takes a tree of messages in Reprise, and an allreduce in GOAL: here nothing in both.
LOGGOPS_MODEL = "model=loggops collectives.making=none"


class Failed(Exception):
    pass


def run(words: list[str], folder: Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        raise Failed(f"{Path(words[0]).name} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout + done.stderr


def settings(machine: str) -> list[str]:
    return [word for setting in machine.split() for word in ("--set", setting)]


def ours(reprise: Path, trace: Path, machine: str, folder: Path) -> tuple[float, list[float]]:
    words = [str(reprise), "simulate", "--json", "--by-rank", str(trace), *settings(machine)]
    answer = json.JSONDecoder().raw_decode(run(words, folder))[0]  # warnings come behind it
    return answer["time_s"], [stream["end_s"] for stream in answer["streams"]]


def dimemas(options: argparse.Namespace, trace: Path, machine: str, folder: Path) -> tuple[float, list[float]]:
    """Ends with status 0 whatever goes wrong: what it prints has to be there."""
    said = run([str(options.reprise), "export", str(trace), "--format", "dimemas", "-o", "app.dim", "--force", *settings(machine)], folder)
    command = re.search(r"Dimemas (-S \d+) ", said)
    if not command:
        raise Failed(f"no command is told: {said}")
    said = run([str(options.dimemas), *command[1].split(), "-p", "app.prv", "--dim", "app.dim", "--config-file", "app.dim.cfg"], folder)
    whole = re.search(r"Execution time:\s*([\d.]+)", said)
    if not whole or "ERROR" in said or "DEADLOCK" in said.upper():
        raise Failed(f"Dimemas: {said.strip()[-300:]}")
    # A task's times in the summary leave out what its sends wait for, and its states its last computation.
    ratio = dict(setting.split("=") for setting in machine.split()).get("node.cpu_ratio", "1")
    rows = re.findall(r"^\s*\d+\t([\d.]+)\s+[\d.]+\t([\d.]+)$", said, re.MULTILINE)
    ends = [float(computed) + float(rest) for computed, rest in rows]
    last: dict[int, float] = {}
    for line in (folder / "app.dim").read_text().splitlines():
        kind, task, *fields = line.split(":")
        if kind in ("1", "2", "3", "10"):
            last[int(task)] = float(fields[1]) / float(ratio) if kind == "1" else 0.0
    for line in (folder / "app.prv").read_text().splitlines():
        if state := re.match(r"1:\d+:1:(\d+):1:\d+:(\d+):", line):
            task = int(state[1]) - 1
            ends[task] = max(ends[task], int(state[2]) * 1e-9 + last[task])
    return float(whole[1]), ends


def loggopsim(options: argparse.Namespace, trace: Path, machine: str, folder: Path) -> tuple[float, list[float]]:
    run([str(options.reprise), "export", str(trace), "--format", "goal", "-o", "app.goal", "--force", *settings(machine)], folder)
    run([str(options.txt2bin), "-i", "app.goal", "-o", "app.bin"], folder)
    values = dict(setting.split("=") for setting in machine.split())
    ns = {"s": 10**9, "us": 1000, "ns": 1}

    def duration(key: str) -> str:
        number, unit = re.fullmatch(r"([\d.]+)(\w+)", values.get(f"network.{key}", "0s")).groups()
        return str(round(float(number) * ns[unit]))

    number, unit = re.fullmatch(r"([\d.]+)(\w*B)/s", values["network.bandwidth"]).groups()
    per_byte = str(round(1e9 / (float(number) * {"B": 1, "MB": 1e6, "GB": 1e9}[unit])))
    words = [str(options.loggopsim), "-f", "app.bin", "-L", duration("latency"), "-o", duration("overhead"), "-g", duration("gap")]
    words += ["-G", per_byte, "-O", duration("overhead_per_byte"), "-S", values.get("network.eager", "65536")]
    said = run(words, folder)
    hosts = [int(ns) * 1e-9 for ns in re.findall(r"^Host \d+: (\d+)", said, re.MULTILINE)]
    whole = re.search(r"Maximum finishing time at host \d+: (\d+)", said)
    if not hosts and not whole:
        raise Failed(f"LogGOPSim: {said.strip()[-300:]}")
    return (max(hosts) if hosts else int(whole[1]) * 1e-9), hosts


def difference(a: float, b: float) -> float:
    return 0.0 if a == b else 100 * (a - b) / b if b else float("inf")


def shown(machine: str) -> str:
    short = machine.replace(LOGGOPS_MODEL, "").replace("model=dimemas", "").replace(SLOW, "slow").replace("network.", "").replace("node.", "node ")
    return short.strip() or "default"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", type=Path, default=ROOT / "build" / "dev" / "bin" / "reprise")
    parser.add_argument("--dimemas", type=Path)
    parser.add_argument("--loggopsim", type=Path)
    parser.add_argument("--txt2bin", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("traces", type=Path, nargs="+")
    options = parser.parse_args()
    options.reprise = options.reprise.resolve()
    tools = []
    if options.dimemas:
        tools.append(("Dimemas", dimemas, [f"model=dimemas {machine}" for machine in DIMEMAS]))
    if options.loggopsim:
        tools.append(("LogGOPSim", loggopsim, [f"{LOGGOPS_MODEL} {machine}" for machine in LOGGOPS]))
    for name, tool, machines in tools:
        if options.brief:
            print("| machine | traces | greatest difference | of a rank |\n|---|---:|---:|---:|")
        else:
            print(f"| machine | trace | {name} [s] | reprise [s] | difference | of a rank |\n|---|---|---:|---:|---:|---:|")
        for machine in machines:
            if options.only and not any(word in machine for word in options.only):
                continue
            worst, worst_of_rank, held = 0.0, 0.0, 0
            label = shown(machine)
            for trace in options.traces:
                with tempfile.TemporaryDirectory() as scratch:
                    try:
                        theirs = tool(options, trace.resolve(), machine, Path(scratch))
                        own = ours(options.reprise, trace.resolve(), machine, Path(scratch))
                    except Failed as failed:
                        print(f"| {label} | {trace.name} | {' '.join(str(failed).split())} |", flush=True)
                        continue
                whole = difference(own[0], theirs[0])
                ranks = [difference(a, b) for a, b in zip(own[1], theirs[1])]
                of_rank = max(ranks, key=abs, default=0.0)
                held += 1
                worst, worst_of_rank = max(worst, whole, key=abs), max(worst_of_rank, of_rank, key=abs)
                if not options.brief:
                    print(f"| {label} | {trace.name} | {theirs[0]:.6f} | {own[0]:.6f} | {whole:+.4f} % | {of_rank:+.4f} % |", flush=True)
            if options.brief:
                print(f"| {label} | {held} | {worst:+.4f} % | {worst_of_rank:+.4f} % |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
