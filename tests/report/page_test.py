#!/usr/bin/env python3
"""Opens pages of `reprise report` in a browser as a person would, and compares what they say with the command line.

    page_test.py --reprise REPRISE --mpi MPI --ranks N PROGRAM...         programs with arguments, which are recorded
    page_test.py --reprise REPRISE --mpi MPI --traces [--pictures FOLDER] TRACE...

Ends with status 77 where there is no browser, or where reprise was built without an engine for its pages.
"""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402
from browser import Browser, find_browser  # noqa: E402

VIEWS = ("overview", "program", "timeline", "paths", "matrix", "histograms", "whatif")
SIZES = ((1024, 768), (2560, 1400))
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
        of_all = ("time_ps", "latencies", "bytes", "calls", "messages", "streams")
        for detail, more in ((0, ()), (1, ("sites",)), (2, ("sites", "efficiency")), (3, ("sites", "efficiency"))):
            found = engine(browser, "simulate", settings, detail)
            for key in (*of_all, *more):
                expect(found.get(key) == expected.get(key), f"{trace.name} {options}: {key} of detail {detail} differs")


def check_moments(browser: Browser, reprise: str, trace: Path, end: float, ranks: int) -> None:
    for share in (0.03, 0.4, 0.77):
        t = int(end * share / 1000) * 1000  # [ps]
        rows = json_of(reprise, "seek", "--json", "--at", f"{t // 1000}ns", str(trace))["streams"]
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
    hottest = browser.evaluate("[...document.querySelectorAll('p.path a')].map((a) => a.textContent)")
    rows = browser.evaluate("[...document.querySelectorAll('.program tbody tr')].map((r) => r.textContent.replace(/\\s+/g, ' '))")
    expect(hottest and all(any(h in r for r in rows) for h in hottest), f"lines with most time are lines of the program: {hottest}")
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
    browser.key("7")
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


def check_findings(browser: Browser, trace: Path) -> None:
    """The overview says what `reprise analyze` does, and efficiencies without the engine."""
    expected = json_of(ARGUMENTS.reprise, "analyze", "--json", str(trace))
    found = browser.evaluate("JSON.parse(document.getElementById('data').textContent)")
    for key in ("id", "cost_s", "share"):
        names = [f[key] for f in expected["findings"]]
        expect([f[key] for f in found["findings"]] == names, f"{trace.name}: the findings' {key}")
    shown = browser.evaluate("document.querySelector('.full').textContent")
    for f in found["findings"]:
        expect(f["title"].lower() in shown.lower(), f"{trace.name}: the overview names {f['title']}")
    run = json_of(ARGUMENTS.reprise, "simulate", "--json", str(trace))
    for key in ("time_ps", "latencies", "bytes", "efficiency"):
        expect(found["simulated"][key] == run[key], f"{trace.name}: {key} of the overview")


def check_links(browser: Browser, trace: Path) -> None:
    """A finding in the main loop leads to two of its iterations, in the simulated run."""
    links = browser.evaluate("[...document.querySelectorAll('.findings a')].map((a) => a.textContent).filter((t) => t.startsWith('Timeline'))")
    if not links:
        return
    browser.evaluate("[...document.querySelectorAll('.findings a')].find((a) => a.textContent.startsWith('Timeline')).click()")
    browser.wait("location.hash.includes('view=timeline')")
    state = dict(word.split("=") for word in browser.evaluate("location.hash").lstrip("#").split("&"))
    expect(state["run"] == "simulated", f"{trace.name}: the run of the link is {state}")
    if links[0] == "Timeline of two iterations":
        run = browser.evaluate("JSON.parse(document.getElementById('data').textContent).simulated")
        two = 2 * run["iteration"] * run["time_ps"]
        shown = float(state["to"]) - float(state.get("from", 0))
        expect(abs(shown - two) <= 2, f"{trace.name}: the link shows {shown} ps, two iterations take {two} ps")
    browser.wait("document.querySelector('.timeline').parentElement.textContent.includes('run, ')")
    browser.evaluate("location.hash = '#view=overview'")
    browser.wait("document.querySelector('.findings') !== null")


def check_critical_path(browser: Browser, trace: Path) -> None:
    """It has no gaps, and takes the time of the run."""
    time_ps = engine(browser, "simulate", [], 3)["time_ps"]
    pieces = browser.evaluate(f"window.repriseAsk('criticalPath', [0, {time_ps}, 1e7]).then((p) => [...p])")
    ends = list(zip(pieces[0::5], pieces[1::5]))
    expect(ends and ends[0][0] == 0 and ends[-1][1] == time_ps, f"{trace.name}: the ends of the critical path")
    expect(all(a[1] == b[0] for a, b in zip(ends, ends[1:])), f"{trace.name}: a gap in the critical path")
    coarse = browser.evaluate(f"window.repriseAsk('criticalPath', [0, {time_ps}, 5]).then((p) => [...p])")
    expect(len(coarse) <= 25, f"{trace.name}: the critical path in five columns")


def check_call_paths(browser: Browser) -> None:
    """All of the time is at the root; keys go from frame to frame, fold and select."""
    browser.key("Escape")
    browser.click("nav button[data-view=paths]")
    browser.wait("document.querySelectorAll('.flame-graph .frame').length > 1")
    expect("100.0 %" in browser.evaluate("document.querySelector('.flame + .note').textContent"), "the root has all of the time")
    browser.evaluate("document.querySelector('.flame-graph .frame').focus()")
    frames = browser.evaluate("document.querySelectorAll('.flame-graph .frame').length")
    browser.key("ArrowDown")
    browser.key("ArrowDown")
    browser.key("Enter")
    browser.wait("/line=\\d+/.test(location.hash) && document.activeElement.classList.contains('frame')")
    browser.key("ArrowUp")
    browser.key("ArrowUp")
    browser.key(" ")
    browser.wait("document.querySelectorAll('.flame-graph .frame').length === 1")
    browser.key(" ")
    browser.wait(f"document.querySelectorAll('.flame-graph .frame').length === {frames}")
    browser.key("Escape")
    browser.wait("!/line=/.test(location.hash)")


def check_file(path: Path) -> str:
    """What is wrong with an exported file; empty if nothing is."""
    data = path.read_bytes()
    if path.suffix == ".png":
        return "" if data.startswith(b"\x89PNG\r\n") and len(data) > 1000 else "no picture"
    text = data.decode()
    if path.suffix == ".svg":
        root = xml.etree.ElementTree.fromstring(text)
        return "" if root.tag.endswith("svg") and len(list(root.iter())) > 3 else "no drawing"
    rows = list(csv.reader(text.splitlines()))
    return "" if len(rows) > 1 and len({len(row) for row in rows}) == 1 else "no table"


def check_exports(browser: Browser, folder: Path, views: tuple[str, ...]) -> None:
    """Each view can be had as a file, and each of its buttons gives one."""
    folder.mkdir()
    browser.send("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    buttons = "[...document.querySelectorAll('main button')].filter((b) => /^(CSV|PNG|SVG)$/.test(b.textContent))"
    for view in views:
        browser.click(f"nav button[data-view={view}]")
        time.sleep(1.5)  # what is drawn last has buttons, too
        kinds = browser.evaluate(f"{buttons}.map((b) => b.textContent.toLowerCase())")
        expect(kinds, f"{view} can be exported")
        for i, kind in enumerate(kinds):
            browser.evaluate(f"{buttons}[{i}].click()")
            end = time.monotonic() + 10
            while not (files := list(folder.glob(f"*.{kind}"))) and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.1)
            wrong = check_file(files[0]) if files else "no file"
            expect(not wrong, f"{view}: {kind}: {wrong}")
            for path in folder.iterdir():
                path.unlink()


def check_printing(browser: Browser) -> None:
    browser.click("nav button[data-view=overview]")
    pdf = browser.send("Page.printToPDF", printBackground=True)["data"]
    expect(pdf.startswith("JVBERi0") and len(pdf) > 20_000, "the overview can be printed")


def check_scaling(browser: Browser, traces: list[Path], folder: Path) -> None:
    """Several traces: the table is that of `reprise analyze`; a source folder: the line that is selected is shown."""
    page = folder / "several.html"
    source = folder / "source"
    source.mkdir()
    data = json_of_page(page_of(traces[0], folder / "one.html"))
    name, line = next((f[2], f[3]) for f in data["frames"] if f[2])
    (source / Path(name).name).write_text("\n".join(f"line {i} <b>&amp;" for i in range(1, line + 9)))
    page_of(traces[0], page, *map(str, traces[1:]), "--source", str(source))
    browser.open(page, "#view=scaling")
    expected = json_of(ARGUMENTS.reprise, "analyze", "--json", *map(str, traces))
    rows = browser.evaluate("[...document.querySelectorAll('main tbody tr')].map((r) => [...r.children].map((c) => c.textContent))")
    expect(len(rows) == len(expected["runs"]), "the scaling view has a row for each trace")
    for row, run in zip(rows, expected["runs"]):
        e = run["efficiency"]
        numbers = [e[k] for k in ("global", "parallel", "load_balance", "serialization", "transfer", "computation_scalability")]
        expect(row[3:] == [f"{x:.3f}" for x in numbers], f"efficiencies of {row[0]}: {row[3:]}, {numbers}")
    check_exports(browser, folder / "scaling", ("scaling",))
    call = next(i for i, c in enumerate(data["calls"]) if any(data["frames"][f][2:] == [name, line] for f in c["frames"]))
    selected = next(i for i, entry in enumerate(data["program"]["lines"]) if call in entry["calls"])
    browser.open(page, f"#view=program&line={selected}")
    browser.wait("document.querySelector('.source-line.here') !== null")
    shown = browser.evaluate("[...document.querySelectorAll('.source-line.here code')].map((c) => c.textContent)")
    expect(f"line {line} <b>&amp;" in shown, f"the source of {name}:{line} is {shown}")


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


def page_of(trace: Path, page: Path, *options: str) -> Path:
    command = [ARGUMENTS.reprise, "report", str(trace), "-o", str(page), *options]
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    if "no timeline" in made.stderr:
        print("skipped: reprise was built without an engine for its pages")
        sys.exit(SKIPPED)
    return page


def json_of_page(page: Path) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1])


def check(browser: Browser, trace: Path, folder: Path, is_first: bool) -> None:
    page = page_of(trace, folder / f"{trace.stem}.html")
    browser.open(page)
    expect(browser.evaluate("document.getElementById('notice').hidden"), f"{trace.name}: the engine runs")
    info = json_of(ARGUMENTS.reprise, "info", "--json", str(trace))
    shown = browser.evaluate("document.querySelector('.facts').textContent")
    for value in (f"{info['calls']:,}", f"{info['ranks']:,}"):
        expect(value in shown, f"{trace.name}: the overview says {value}")
    about = browser.evaluate("window.repriseAbout()")
    check_findings(browser, trace)
    check_links(browser, trace)
    check_simulation(browser, ARGUMENTS.reprise, trace)
    check_critical_path(browser, trace)
    if about["has_times"]:
        check_moments(browser, ARGUMENTS.reprise, trace, about["end_ps"], info["ranks"])
        check_tile(browser, about["end_ps"], info["ranks"] * info["threads"])
    if is_first:
        check_use(browser, trace)
        check_call_paths(browser)
        check_exports(browser, folder / "exports", VIEWS)
        check_printing(browser)
        if ARGUMENTS.pictures:
            take_pictures(browser, page, ARGUMENTS.pictures)
    others = [r for r in browser.requests if not r.startswith("file:") or not r.split("#")[0].endswith(".html")]
    expect(not others, f"{trace.name}: asks for {others}")
    expect(not browser.problems, f"{trace.name}: the console says {browser.problems}")
    browser.problems.clear()


def recorded(name: str, ranks: int, folder: Path) -> Path:
    words = shlex.split(name)
    trace = folder / f"{Path(words[0]).name}{'' if ranks == ARGUMENTS.ranks else f'-{ranks}'}.reprise"
    run = launch.run([ARGUMENTS.reprise, "record", "-o", str(trace), "--", *launch.command(ARGUMENTS.mpi, ranks, words)], ARGUMENTS.waiting)
    if run.returncode:
        sys.exit(f"{words} cannot be recorded: {run.stderr}")
    return trace


def traces_of(folder: Path) -> list[Path]:
    """What was given, or recorded of it."""
    if ARGUMENTS.traces:
        return [Path(name) for name in ARGUMENTS.names]
    return [recorded(name, ARGUMENTS.ranks, folder) for name in ARGUMENTS.names]


def several_of(traces: list[Path], folder: Path) -> list[Path]:
    """Traces of one program on several numbers of ranks."""
    if ARGUMENTS.traces:
        return traces[:3]
    return [traces[0], *(recorded(ARGUMENTS.names[0], n, folder) for n in (ARGUMENTS.ranks + 2, 2 * ARGUMENTS.ranks))]


def main() -> int:
    program = find_browser()
    if not program:
        print("skipped: there is no browser (Debian has one in the package chromium)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="reprise-page-") as name:
        folder = Path(name)
        browser = Browser(program)
        try:
            traces = traces_of(folder)
            for i, trace in enumerate(traces):
                check(browser, trace, folder, i == 0)
                print(f"{trace.name}: {'ok' if not problems else f'{len(problems)} problems'}", flush=True)
            if len(several := several_of(traces, folder)) > 1:
                check_scaling(browser, several, folder)
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
