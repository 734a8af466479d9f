#!/usr/bin/env python3
"""Opens pages of `reprise report` in a browser as a person would, and compares what they say with the command line.

    page_test.py --reprise REPRISE --mpi MPI --ranks N PROGRAM...         programs with arguments, which are recorded
    page_test.py --reprise REPRISE --mpi MPI --traces [--pictures FOLDER] TRACE...

Ends with status 77 where there is no browser, or where reprise was built without an engine for its pages.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from browser import Browser, find_browser  # noqa: E402

VIEWS = ("overview", "program", "timeline", "matrix", "histograms", "whatif")
SIZES = ((1024, 768), (1600, 1000))
MACHINES = ([], ["--latency", "50us", "--bandwidth", "100MB/s"], ["--set", "model=loggp", "--set", "network.gap=1us"])
SKIPPED = 77

problems: list[str] = []


def expect(condition: object, what: str) -> None:
    if not condition:
        problems.append(what)
        print(f"FAILED: {what}")


def json_of(*command: str) -> dict:
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def engine(browser: Browser, call: str, *args: object) -> object:
    """What the engine of the page answers, by the modules of the page itself."""
    return browser.evaluate(f"window.repriseAsk({json.dumps(call)}, {json.dumps(args)})")


def check_simulation(browser: Browser, reprise: str, trace: Path) -> None:
    """To the last digit: what the page simulates is what the command does."""
    for options in MACHINES:
        expected = json_of(reprise, "simulate", "--json", *options, str(trace))
        names = {"--latency": "network.latency", "--bandwidth": "network.bandwidth"}
        settings = [
            value.split("=", 1) if option == "--set" else [names[option], value]
            for option, value in zip(options[::2], options[1::2])
        ]
        for detail in (1, 2):
            found = engine(browser, "simulate", settings, detail)
            for key in ("time_ps", "latencies", "bytes", "calls", "messages", "efficiency", "sites", "streams"):
                expect(found.get(key) == expected.get(key), f"{trace.name} {options}: {key} of detail {detail} differs")


def check_moments(browser: Browser, reprise: str, trace: Path, end: float, ranks: int) -> None:
    for share in (0.03, 0.4, 0.77):
        t = int(end * share / 1000) * 1000  # [ps]
        rows = json_of(reprise, "seek", "--json", "--time", f"{t // 1000}ns", str(trace))["streams"]
        for row in rows[:: max(1, len(rows) // 4)]:
            if row["thread"] != 0 or row["ended"] is not False:
                continue
            found = engine(browser, "moment", 0, len(rows) // ranks * row["rank"], t)
            where = f"{trace.name}, rank {row['rank']} at {t} ps"
            expect(found.get("in_mpi") == row["in_mpi"], f"{where}: in MPI or not")
            expect(found.get("execution") == row["execution"], f"{where}: execution")
            expect(found.get("begin_ps") == round(row["begin_ns"] * 1000), f"{where}: begin")


def check_tile(browser: Browser, end: float, streams: int) -> None:
    """All pixels together hold what the calls do."""
    columns = 97
    sums = browser.evaluate(f"""window.repriseAsk("tile", [0, [0, 1, {streams}], 0, {end}, {columns}]).then((t) => {{
        let sum = 0; t.forEach((x, i) => {{ if (i % 8 !== 7) sum += x; }}); return sum; }})""")
    times = browser.evaluate(f"""window.repriseAsk("statistics", [0, [0, 1, {streams}], 0, {end}]).then((t) => {{
        let sum = 0; t.forEach((x, i) => {{ if (i % 3 !== 0) sum += x; }}); return sum; }})""")
    expect(abs(sums * end / columns - times) < 1e-4 * times, f"pixels hold {sums * end / columns} of {times} ps")


def check_use(browser: Browser, trace: Path) -> None:
    """As a person would: tabs, keys, mouse, sliders, links."""
    for view in reversed(VIEWS):  # the page begins with the first, and its address has no view
        browser.click(f"nav button[data-view={view}]")
        browser.wait(f"location.hash.includes('view={view}') && document.querySelector('main').children.length > 0")
    browser.key("2")
    browser.wait("location.hash.includes('view=program')")
    browser.evaluate("document.querySelector('.program tbody tr').focus()")
    browser.key("ArrowDown")
    browser.key("Enter")
    browser.wait("location.hash.includes('line=1')")
    expect(browser.evaluate("document.querySelectorAll('.program tr.selected').length") == 1, "one line is selected")
    browser.key("3")
    browser.wait("document.querySelector('.timeline canvas')?.width > 300")
    browser.wait("document.querySelector('.timeline').parentElement.textContent.includes('run, ')")
    browser.evaluate("document.querySelector('.timeline canvas').focus()")
    for key in ("w", "w", "d"):
        browser.key(key)
    browser.wait("/from=\\d+&to=\\d+/.test(location.hash)")
    zoomed = browser.evaluate("location.hash")
    box = browser.evaluate("(() => { const b = document.querySelector('.timeline canvas').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
    x, y = box[0] + box[2] / 2, box[1] + 60
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120)
    browser.wait(f"location.hash !== {json.dumps(zoomed)}")
    browser.mouse("mouseMoved", x, y)
    browser.wait("!document.getElementById('tooltip').hidden && document.getElementById('tooltip').textContent.includes('rank ')")
    browser.mouse("mousePressed", x, y, button="left", clickCount=1, modifiers=8)
    browser.mouse("mouseMoved", x + 80, y, button="left", buttons=1, modifiers=8)
    browser.mouse("mouseReleased", x + 80, y, button="left", clickCount=1, modifiers=8)
    browser.wait("location.hash.includes('rangeTo=')")
    browser.wait("!document.getElementById('selection').hidden")
    link = browser.evaluate("location.hash")
    browser.key("Escape")
    browser.wait("!location.hash.includes('rangeTo=')")
    browser.evaluate(f"location.hash = {json.dumps(link)}")
    browser.wait(f"location.hash === {json.dumps(link)} && !document.getElementById('selection').hidden")
    browser.key("6")
    browser.wait("Number(document.querySelector('.big')?.dataset.ps) > 0")
    before = browser.evaluate("document.querySelector('.big').dataset.ps")
    browser.evaluate("(() => { const s = document.querySelector('input[data-key=\"network.latency\"]'); s.value = 190; s.dispatchEvent(new Event('input')); })()")
    browser.wait(f"Number(document.querySelector('.big').dataset.ps) > {before}")
    command = browser.evaluate("document.querySelector('.command').textContent")
    expect("--latency" in command, f"the command has the latency: {command}")
    time = int(browser.evaluate("document.querySelector('.big').dataset.ps"))
    words = command.split()
    again = json_of(ARGUMENTS.reprise, "simulate", "--json", str(trace), *words[3:])
    expect(again["time_ps"] == time, f"{command} takes {again['time_ps']} ps, the page says {time}")


def take_pictures(browser: Browser, page: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in SIZES:
        browser.size(width, height)
        for theme in ("light", "dark"):
            browser.theme(theme)
            for view in VIEWS:
                browser.open(page, f"#view={view}")
                browser.evaluate("new Promise((done) => setTimeout(done, 1500))")
                wide = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                expect(wide <= 0, f"{view} at {width}: {wide} pixels too wide")
                browser.picture(folder / f"{page.stem}-{view}-{width}-{theme}.png")


def check(browser: Browser, trace: Path, folder: Path, is_first: bool) -> None:
    page = folder / f"{trace.stem}.html"
    made = subprocess.run([ARGUMENTS.reprise, "report", str(trace), "-o", str(page)], check=True, capture_output=True, text=True)
    if "no timeline" in made.stderr:
        print("skipped: reprise was built without an engine for its pages")
        sys.exit(SKIPPED)
    browser.open(page)
    expect(browser.evaluate("document.getElementById('notice').hidden"), f"{trace.name}: the engine runs")
    info = json_of(ARGUMENTS.reprise, "info", "--json", str(trace))
    shown = browser.evaluate("document.querySelector('.facts').textContent")
    for value in (f"{info['calls']:,}", f"{info['ranks']:,}"):
        expect(value in shown, f"{trace.name}: the overview says {value}")
    about = browser.evaluate("window.repriseAbout()")
    check_simulation(browser, ARGUMENTS.reprise, trace)
    if about["has_times"]:
        check_moments(browser, ARGUMENTS.reprise, trace, about["end_ps"], info["ranks"])
        check_tile(browser, about["end_ps"], info["ranks"] * info["threads"])
    if is_first:
        check_use(browser, trace)
        if ARGUMENTS.pictures:
            take_pictures(browser, page, ARGUMENTS.pictures)
    others = [r for r in browser.requests if not r.startswith("file:") or not r.split("#")[0].endswith(".html")]
    expect(not others, f"{trace.name}: asks for {others}")
    expect(not browser.problems, f"{trace.name}: the console says {browser.problems}")
    browser.problems.clear()


def traces_of(folder: Path) -> list[Path]:
    """What was given, or recorded of it."""
    if ARGUMENTS.traces:
        return [Path(name) for name in ARGUMENTS.names]
    out = []
    for words in map(shlex.split, ARGUMENTS.names):
        trace = folder / f"{Path(words[0]).name}.reprise"
        command = launch.command(ARGUMENTS.mpi, ARGUMENTS.ranks, words)
        recorded = launch.run([ARGUMENTS.reprise, "record", "-o", str(trace), "--", *command], ARGUMENTS.waiting)
        if recorded.returncode:
            sys.exit(f"{words} cannot be recorded: {recorded.stderr}")
        out.append(trace)
    return out


def main() -> int:
    program = find_browser()
    if not program:
        print("skipped: there is no browser (Debian has one in the package chromium)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="reprise-page-") as name:
        folder = Path(name)
        browser = Browser(program)
        try:
            for i, trace in enumerate(traces_of(folder)):
                check(browser, trace, folder, i == 0)
                print(f"{trace.name}: {'ok' if not problems else f'{len(problems)} problems'}", flush=True)
        finally:
            browser.close()
    return 1 if problems else 0


parser = launch.options_parser(__doc__)
parser.add_argument("--ranks", type=int, default=4)
parser.add_argument("--traces", action="store_true", help="the names are those of traces")
parser.add_argument("--pictures", type=Path, help="take pictures of every view of the first trace, at two sizes and in both themes")
parser.add_argument("names", nargs="+")
ARGUMENTS = parser.parse_args()

if __name__ == "__main__":
    sys.exit(main())
