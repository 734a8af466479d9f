#!/usr/bin/env python3
"""What the page of `reprise report` takes: size, time to open, to draw, to simulate, and memory.

    page.py REPRISE TRACE...

Each figure is the median of several in a headless Chromium, as Debian has it. Drawing is of random pieces of the
recorded run, from all of it to a ten-thousandth, 1,200 pixels wide: `first` is until the first, coarse picture, `fine`
until the last one. The size of the same run as Perfetto's JSON is that of `reprise simulate --timeline`.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "report"))
from browser import Browser, find_browser  # noqa: E402

WIDTH, HEIGHT, LINES = 1200, 600, 300
REPEATS = 15
MOST_CALLS_AS_JSON = 2_000_000


def milliseconds(browser: Browser, expression: str) -> float:
    return browser.evaluate(f"(async () => {{ const t = performance.now(); await {expression}; return performance.now() - t; }})()")


def drawing(browser: Browser, streams: int, end: float, columns: int) -> float:
    step = -(-streams // LINES)
    rows = (streams - 1) // step + 1
    times = []
    for _ in range(REPEATS):
        length = end * 10 ** random.uniform(-4, 0)
        begin = random.uniform(0, end - length)
        times.append(milliseconds(browser, f"repriseAsk('tile', [0, [0, {step}, {rows}], {begin}, {begin + length}, {max(20, columns // rows)}])"))
    return statistics.median(times[1:])


def measure(reprise: str, trace: Path, browser: Browser, folder: Path) -> None:
    page = folder / "page.html"
    subprocess.run([reprise, "report", "--force", str(trace), "-o", str(page)], check=True, capture_output=True)
    info = json.loads(subprocess.run([reprise, "info", "--json", str(trace)], check=True, capture_output=True).stdout)
    opening = statistics.median(browser.open(page) for _ in range(5))
    about = browser.evaluate("repriseAbout()")
    streams = about["ranks"] * about["threads"]
    print(f"{trace.name}: {info['ranks']:,} ranks, {info['calls']:,} calls, trace {info['file_bytes']:,} bytes, page {page.stat().st_size:,} bytes")
    print(f"  opened in {opening * 1000:.0f} ms")
    if about["has_times"]:
        first, fine = (drawing(browser, streams, about["end_ps"], cells) for cells in (30_000, 300_000))
        print(f"  drawing: first {first:.0f} ms, fine {fine:.0f} ms")
    step = statistics.median(milliseconds(browser, f"repriseAsk('simulate', [[['network.latency', '{k + 1}us']], 0])") for k in range(5))
    print(f"  a step of a slider: {step:.0f} ms")
    browser.evaluate("location.hash = '#view=timeline'")
    time.sleep(2)
    print(f"  memory of the engine: {browser.evaluate('repriseAsk(`memory`, [])') / 1e6:.0f} MB")
    if info["calls"] <= MOST_CALLS_AS_JSON:
        perfetto = folder / "run.json"
        subprocess.run([reprise, "simulate", "--force", "--timeline", str(perfetto), str(trace)], check=True, capture_output=True)
        print(f"  the same run in Perfetto's JSON: {perfetto.stat().st_size / 1e6:.1f} MB")


def main() -> int:
    program = find_browser()
    if len(sys.argv) < 3 or not program:
        print(__doc__ if program else "there is no browser", file=sys.stderr)
        return 2
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(program)
        browser.size(WIDTH, HEIGHT)
        try:
            for trace in sys.argv[2:]:
                measure(sys.argv[1], Path(trace), browser, Path(folder))
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
