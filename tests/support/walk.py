"""What a trace holds, as `reprise` tells it."""

import json
import subprocess
from pathlib import Path


def walk(reprise: str, trace: Path, rank: int, thread: int = 0) -> list[str]:
    """The calls of one rank, a line each."""
    command = [reprise, "show", "--flat", "--rank", str(rank), "--thread", str(thread), str(trace)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def losses(reprise: str, trace: Path) -> dict[str, int]:
    """What the trace says was not recorded."""
    text = subprocess.run([reprise, "info", "--json", str(trace)], capture_output=True, text=True, check=True).stdout
    return json.loads(text)["lost"]
