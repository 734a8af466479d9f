#!/usr/bin/env python3
"""Compares a trace, walked rank by rank, with the flat log that the recorder wrote beside it.

    oracle.py --reprise build/bin/reprise TRACE FLAT_FOLDER

Call for call and parameter for parameter. Communicators have numbers in a trace and names in the log: they must
correspond one to one, over all ranks. A stream without a log may have no calls.
"""

import argparse
import itertools
import json
import subprocess
import sys
from pathlib import Path


class Names:
    """The communicator numbers of a trace against the names in the logs."""

    def __init__(self) -> None:
        self.number_of: dict[str, str] = {}
        self.name_of: dict[str, str] = {}

    def agree(self, number: str, name: str) -> bool:
        return self.number_of.setdefault(name, number) == number and self.name_of.setdefault(number, name) == name


def same_token(walked: str, logged: str, shared: Names) -> bool:
    if walked == logged:
        return True
    key, _, number = walked.partition("=")
    logged_key, _, name = logged.partition("=")
    if key != logged_key or not name.startswith("comm:"):
        return False
    return shared.agree(number, name)


def compare(reprise: str, trace: Path, log: Path, rank: int, thread: int, shared: Names) -> str | None:
    """The first difference of one stream, or None."""
    command = [reprise, "show", "--flat", "--rank", str(rank), "--thread", str(thread), str(trace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shown, log.open() as logged:
        assert shown.stdout
        number = 0
        while True:
            number += 1
            walked, wanted = shown.stdout.readline(), logged.readline()
            if not walked and not wanted:
                break
            tokens, wanted_tokens = walked.split(), wanted.split()
            equal = len(tokens) == len(wanted_tokens) and all(
                same_token(a, b, shared) for a, b in zip(tokens, wanted_tokens)
            )
            if not equal:
                shown.kill()
                return f"rank {rank} thread {thread} call {number}\n  trace: {walked.strip()}\n  log:   {wanted.strip()}"
    return f"rank {rank}: reprise show ended with status {shown.returncode}" if shown.returncode else None


def unlogged(reprise: str, trace: Path, logged: set[tuple[int, int]]) -> tuple[int, int] | None:
    """A stream of the trace that makes calls and has no log, or None."""
    info = json.loads(subprocess.run([reprise, "info", "--json", str(trace)], capture_output=True, check=True).stdout)
    for rank, thread in itertools.product(range(info["ranks"]), range(info["threads"])):
        if (rank, thread) in logged:
            continue
        command = [reprise, "show", "--flat", "--rank", str(rank), "--thread", str(thread), str(trace)]
        if subprocess.run(command, capture_output=True, check=True).stdout:
            return rank, thread
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reprise", default="reprise")
    options = parser.parse_args()
    logs = sorted(options.folder.glob("rank-*-thread-*.log"))
    if not logs:
        print(f"no logs in {options.folder}", file=sys.stderr)
        return 1
    shared = Names()
    calls = 0
    streams = {(int(rank), int(thread)): log for log in logs for _, rank, _, thread in [log.stem.split("-")]}
    if missing := unlogged(options.reprise, options.trace, set(streams)):
        print(f"rank {missing[0]} thread {missing[1]} of the trace has no log", file=sys.stderr)
        return 1
    for (rank, thread), log in streams.items():
        difference = compare(options.reprise, options.trace, log, rank, thread, shared)
        if difference:
            print(f"the trace differs from the log: {difference}", file=sys.stderr)
            return 1
        with log.open() as lines:
            calls += sum(1 for _ in lines)
    print(f"{len(logs)} streams, {calls} calls: equal; trace of {options.trace.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
