#!/usr/bin/env python3
"""What the page of `reprise report` takes: size, time to open, to draw, to simulate, and memory.

    page.py REPRISE TRACE...

Each figure is the median of several in a headless Chromium, as Debian has it. Drawing is of random pieces of the
recorded run, from all of it to a ten-thousandth, in a window of 1,600 x 1,000 pixels: `first` is until the first picture, which is
coarse where there are many ranks, `fine` until the last one. The size of the same run for Perfetto is that of `reprise simulate --timeline`.
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

WIDTH, HEIGHT = 1600, 1000
REPEATS = 15
MOST_CALLS_OF_TIMELINE = 2_000_000


def milliseconds(browser: Browser, expression: str) -> float:
    return browser.evaluate(f"(async () => {{ const t = performance.now(); await {expression}; return performance.now() - t; }})()")


# From a new address until the first, coarse picture of that time, and until the last one, in the page itself.
ZOOM = """new Promise((done) => {{
    const canvas = document.querySelector('.timeline canvas'), began = performance.now(), times = [];
    const watch = new MutationObserver(() => {{
        if (!canvas.dataset.drawn.startsWith('{begin} {end} ')) return;
        times.push(performance.now() - began);
        clearTimeout(last);
        last = setTimeout(finish, 400);
    }});
    const finish = () => {{ watch.disconnect(); done(times); }};
    let last = setTimeout(finish, 20000);
    watch.observe(canvas, {{ attributeFilter: ['data-drawn'] }});
    location.hash = '#view=timeline&from={begin}&to={end}';
}})"""


def drawing(browser: Browser, end: float) -> tuple[float, float, float]:
    """Medians of the first and of the last picture, and the longest of the last ones."""
    browser.evaluate("location.hash = '#view=timeline'")
    time.sleep(3)
    first, last = [], []
    for _ in range(REPEATS):
        length = int(end * 10 ** random.uniform(-4, 0))
        begin = int(random.uniform(0, end - length))
        times = browser.evaluate(ZOOM.format(begin=begin, end=begin + length))
        if times:
            first.append(times[0])
            last.append(times[-1])
    return statistics.median(first), statistics.median(last), max(last)


def measure(reprise: str, trace: Path, browser: Browser, folder: Path) -> None:
    page = folder / "page.html"
    subprocess.run([reprise, "report", "--force", str(trace), "-o", str(page)], check=True, capture_output=True)
    info = json.loads(subprocess.run([reprise, "info", "--json", str(trace)], check=True, capture_output=True).stdout)
    opening = statistics.median(browser.open(page) for _ in range(5))
    about = browser.evaluate("repriseAbout()")
    print(f"{trace.name}: {info['ranks']:,} ranks, {info['calls']:,} calls, trace {info['file_bytes']:,} bytes, page {page.stat().st_size:,} bytes")
    print(f"  opened in {opening * 1000:.0f} ms")
    if about["has_times"]:
        first, fine, longest = drawing(browser, about["end_ps"])
        print(f"  drawing a piece of the run: first {first:.0f} ms, fine {fine:.0f} ms, at most {longest:.0f} ms")
        print(f"  memory of the engine: {browser.evaluate('repriseAsk(`memory`, [])') / 1e6:.0f} MB")
    step = statistics.median(milliseconds(browser, f"repriseAsk('simulate', [[['network.latency', '{k + 1}us']], 1])") for k in range(5))
    print(f"  a step of a slider: {step:.0f} ms")
    whole = milliseconds(browser, "repriseAsk('simulate', [[], 3])")
    print(f"  the simulated run with every call: {whole:.0f} ms, memory then {browser.evaluate('repriseAsk(`memory`, [])') / 1e6:.0f} MB")
    if info["calls"] <= MOST_CALLS_OF_TIMELINE:
        perfetto = folder / "run.pftrace"
        subprocess.run([reprise, "simulate", "--force", "--timeline", str(perfetto), str(trace)], check=True, capture_output=True)
        print(f"  the same run for Perfetto: {perfetto.stat().st_size / 1e6:.1f} MB")


def main() -> int:
    program = find_browser()
    if len(sys.argv) < 3 or not program:
        print(__doc__ if program else "there is no browser", file=sys.stderr)
        return 2
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(program, patience=600)
        browser.size(WIDTH, HEIGHT)
        try:
            for trace in sys.argv[2:]:
                measure(sys.argv[1], Path(trace), browser, Path(folder))
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
