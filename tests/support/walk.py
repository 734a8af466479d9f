"""What a trace holds, as `reprise` tells it."""

import json
import subprocess
from pathlib import Path


def walk(reprise: str, trace: Path, rank: int, thread: int = 0) -> list[str]:
    """The calls of one rank, a line each."""
    command = [reprise, "show", "--flat", "--rank", str(rank), "--thread", str(thread), str(trace)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


IN_FLIGHT = " # had not returned"


def split_unfinished(lines: list[str]) -> tuple[list[str], list[str]]:
    """The calls of a rank that returned, and what it was in when the run ended: one at most, the last."""
    finished = [line for line in lines if not line.endswith(IN_FLIGHT)]
    unfinished = [line.removesuffix(IN_FLIGHT) for line in lines if line.endswith(IN_FLIGHT)]
    if len(unfinished) > 1 or lines[: len(finished)] != finished:
        raise ValueError(f"calls that had not returned are not the last one: {unfinished}")
    return finished, unfinished


def losses(reprise: str, trace: Path) -> dict[str, int]:
    """What the trace says was not recorded."""
    text = subprocess.run([reprise, "info", "--json", str(trace)], capture_output=True, text=True, check=True).stdout
    return json.loads(text)["lost"]
