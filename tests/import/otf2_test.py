"""Records a program into an OTF2 archive as Score-P does (otf2_recorder.c), imports it, and compares with what the
library's own Python reader counts; then exports, imports again and compares."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import archive  # noqa: E402
import trace_text  # noqa: E402
from check import Checks  # noqa: E402
from independent_recorder import record, run  # noqa: E402
from launch import options_parser  # noqa: E402

# Calls of which archives say too little; `reprise info` lists them as lost.
UNSAID = {"MPI_Type_commit", "MPI_Type_contiguous", "MPI_Type_vector", "MPI_Type_free"}
# Traces have for these what they do.
STANDS_AS = {"MPI_Cart_create": "MPI_Comm_split"}


def wanted_calls(counts: Counter, comms: str) -> Counter:
    out: Counter = Counter()
    for function, n in counts.items():
        if function in UNSAID or function == "MPI_Test":
            continue
        if comms != "" and function == "MPI_Comm_free":
            continue  # only CommDestroy says which communicator it was
        out[STANDS_AS.get(function, function)] += n
    return out


def compare(checks: Checks, options, source: archive.Archive, trace: trace_text.Trace) -> None:
    for rank, (wanted, found) in enumerate(zip(source.calls, trace.calls, strict=True)):
        wanted, found = wanted_calls(wanted, options.comms), Counter(found)
        # How often MPI_Test had success is not told; each call is one or the other.
        tests = found.pop("MPI_Test", 0)
        checks.equal(f"tests of rank {rank}", tests + trace.polls[rank], source.calls[rank]["MPI_Test"])
        if options.comms == "none":  # communicators are made after MPI_Init
            for made in ("MPI_Comm_split", "MPI_Comm_dup", "MPI_Comm_create", "MPI_Comm_create_group"):
                wanted.pop(made, None)
                found.pop(made, None)
        checks.equal(f"calls of rank {rank}", dict(found), dict(wanted))
    checks.equal("messages of each pair", dict(trace.messages), dict(source.messages))
    checks.equal("bytes sent by each pair", dict(trace.sent), dict(source.sent))
    checks.equal("bytes received by each pair", dict(trace.received), dict(source.received))
    # The time of calls that the trace does not have stands with the next one.
    if options.comms == "" and not any(source.calls[0][f] for f in (*UNSAID, "MPI_Test")):
        times: Counter = Counter()
        for of_rank in source.times:
            for function, ns in of_rank.items():
                times[STANDS_AS.get(function, function)] += ns
        checks.equal("time in each function [ns]", dict(trace.times), dict(times))
    else:
        in_all = sum(sum(t.values()) for t in source.times)
        checks.equal("time in MPI [ns]", sum(trace.times.values()), in_all)


def round_trip(checks: Checks, reprise: Path, first: Path, folder: Path) -> None:
    """What has been through an archive once comes through it unchanged, whatever the times."""
    for force in ([], ["--force"]):  # an archive is replaced as a whole
        run(reprise, "export", first, "--format", "otf2", "-o", folder / "out", *force)
    shown = run("otf2-print", folder / "out" / "traces.otf2")
    checks.true("otf2-print", "ENTER" in shown and "error" not in shown.lower(), shown[:1000])
    run(reprise, "import", folder / "out", "-o", folder / "second.reprise")
    # Which of a Waitsome's calls was the first is not told.
    diff = subprocess.run([reprise, "diff", "--ignore", "callpaths,polls", first, folder / "second.reprise"],
                          capture_output=True, text=True, check=False)
    checks.equal("diff of export and import", (diff.returncode, " are equal: " in diff.stdout), (0, True))
    again, source = archive.read(folder / "out" / "traces.otf2"), trace_text.read(reprise, first)
    checks.equal("bytes of each pair in the export", dict(again.sent), dict(source.sent))
    checks.equal("calls in the export", [dict(c) for c in again.calls], [dict(c) for c in source.calls])


def later_stages(checks: Checks, reprise: Path, trace: Path, folder: Path, program: list[str]) -> None:
    info = json.loads(run(reprise, "info", "--json", trace))
    checks.equal("program", info["program"], " ".join(program))
    checks.true("info", info["options"].startswith("imported from OTF2"), str(info["options"]))
    checks.true("show", "Init" in run(reprise, "show", trace), "")
    simulated = json.loads(run(reprise, "simulate", "--json", trace))
    checks.true("simulate", simulated is not None, "")
    generated = folder / "generated.c"
    run(reprise, "generate", trace, "--language", "c", "-o", generated)
    checks.true("generate", generated.stat().st_size > 0, "")


def main() -> int:
    parser = options_parser(__doc__)
    parser.add_argument("--recorder", type=Path, required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--comms", default="", choices=["", "parents", "none"])
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record(options, folder / "in")
        trace = folder / "first.reprise"
        run(options.reprise, "import", folder / "in" / "traces.otf2", "-o", trace, "--time-precision", "0")
        compare(checks, options, archive.read(folder / "in" / "traces.otf2"), trace_text.read(options.reprise, trace))
        round_trip(checks, options.reprise, trace, folder)
        later_stages(checks, options.reprise, trace, folder, options.program)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
