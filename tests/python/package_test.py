#!/usr/bin/env python3
"""Records a stencil on 4, 9 and 16 ranks and reads the traces with the Python package.

    PYTHONPATH=build/dev/python package_test.py --reprise build/dev/bin/reprise --mpi openmpi build/dev/workloads/openmpi/stencil2d

What is expected follows from the stencil, or is what the command prints.
"""

import json
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

import reprise

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
import launch  # noqa: E402

STEPS, EDGE = 20, 8  # iterations, and doubles of an edge
COMMAND: list[str] = []
FOLDER = Path()


def open_trace(ranks: int) -> reprise.Trace:
    return reprise.open(FOLDER / f"t{ranks}.reprise")


def printed(*words: str) -> dict:
    out = subprocess.run([*COMMAND, *words, "--json"], cwd=FOLDER, capture_output=True, check=True, text=True)
    return json.loads(out.stdout)


def error_of(*words: str) -> str:
    out = subprocess.run([*COMMAND, *words], cwd=FOLDER, capture_output=True, check=False, text=True)
    return out.stderr.removeprefix("reprise: ").rstrip("\n")


def neighbors(side: int) -> np.ndarray:
    """Which ranks of a grid of side x side lie beside each other."""
    x, y = np.divmod(np.arange(side * side), side)
    distance = abs(x[:, None] - x[None, :]) + abs(y[:, None] - y[None, :])
    return (distance == 1).astype(np.uint64)


class Facts(unittest.TestCase):
    def test_properties(self) -> None:
        trace = open_trace(9)
        self.assertEqual((trace.ranks, trace.threads, trace.has_times), (9, 1, True))
        self.assertIn("stencil2d", trace.program)
        self.assertIn("9 ranks", repr(trace))

    def test_info_is_that_of_the_command(self) -> None:
        expected = printed("info", "t9.reprise")
        found = open_trace(9).info()
        for key in set(expected) - {"file", "file_bytes", "calls_per_byte"}:
            self.assertEqual(found[key], expected[key], key)

    def test_tree_is_that_of_the_command(self) -> None:
        self.assertEqual(open_trace(4).tree(), printed("show", "t4.reprise"))

    def test_calls_are_walked_in_order(self) -> None:
        calls = list(open_trace(4).calls(3))
        self.assertEqual(calls[0].function, "MPI_Init")
        self.assertEqual(calls[-1].function, "MPI_Finalize")
        self.assertTrue(all(c.returned for c in calls))
        sends = [c for c in calls if c.function == "MPI_Isend"]
        self.assertEqual(len(sends), 2 * STEPS)  # to the north and to the west
        self.assertEqual({c.parameters["dest"] for c in sends}, {1, 2})
        self.assertEqual({(c.parameters["count"], c.parameters["datatype"]) for c in sends}, {(EDGE, "MPI_DOUBLE")})
        sites = open_trace(4).sites
        self.assertTrue(all(sites["function"][c.site] == c.function for c in calls))


class Statistics(unittest.TestCase):
    def test_messages(self) -> None:
        for ranks, side in ((4, 2), (9, 3), (16, 4)):
            trace, expected = open_trace(ranks), STEPS * neighbors(side)
            np.testing.assert_array_equal(trace.comm_matrix("count"), expected)
            np.testing.assert_array_equal(trace.comm_matrix(), 8 * EDGE * expected)
            by_process = trace.comm_by_process("count")
            np.testing.assert_array_equal(by_process["sent"], expected.sum(axis=1))
            np.testing.assert_array_equal(by_process["received"], expected.sum(axis=0))

    def test_message_histogram(self) -> None:
        trace = open_trace(9)
        total = STEPS * int(neighbors(3).sum())
        self.assertEqual(trace.message_sizes().values.tolist(), [[8 * EDGE, total]])
        counts, edges = trace.message_histogram(bins=5)
        self.assertEqual((counts.shape, edges.shape, counts.sum()), ((5,), (6,), total))

    def test_flat_profile(self) -> None:
        profile = open_trace(9).flat_profile().set_index("function")
        total = STEPS * int(neighbors(3).sum())
        self.assertEqual(profile.loc["MPI_Isend", "calls"], total)
        self.assertEqual(profile.loc["MPI_Isend", "bytes_sent"], 8 * EDGE * total)
        self.assertEqual(profile.loc["MPI_Waitall", "calls"], 9 * STEPS)
        expected = printed("stats", "t9.reprise", "--times")
        self.assertEqual(profile["time_ns"].sum(), expected["communicate_ns"])
        self.assertEqual(profile["computation_ns"].sum(), expected["compute_ns"])
        times = open_trace(9).flat_profile("site", sort="time")["time_ns"].tolist()
        self.assertEqual(times, sorted(times, reverse=True))

    def test_statistics_are_those_of_the_command(self) -> None:
        for by in ("function", "site", "callpath"):
            rows = printed("stats", "t9.reprise", "--by", by)["rows"]
            found = open_trace(9).statistics(by)
            self.assertEqual(found["function"].tolist(), [r["function"] for r in rows])
            self.assertEqual(found["bytes_sent"].tolist(), [r["bytes_sent"]["total"] for r in rows])
            self.assertEqual(found["calls_max_rank"].tolist(), [r["calls"]["max_rank"] for r in rows])


class Times(unittest.TestCase):
    def test_deltas_add_up(self) -> None:
        trace = open_trace(9)
        deltas, times = trace.deltas(), trace.delta_times()
        self.assertEqual(times.shape, (len(deltas), 9))
        np.testing.assert_array_equal(trace.delta_executions().sum(axis=1), deltas["executions"])
        waits = deltas[(deltas["function"] == "MPI_Waitall") & (deltas["kind"] == "communicate")]
        self.assertEqual(waits["executions"].tolist(), [9 * STEPS])
        for row in range(len(deltas)):
            bins = trace.delta_histogram(row)
            self.assertEqual(bins["count"].sum(), deltas["executions"][row])
            self.assertEqual(bins["sum_ns"].sum(), deltas["total_ns"][row])
            self.assertTrue(bins["min_ns"].is_monotonic_increasing)

    def test_load_imbalance(self) -> None:
        rows = printed("stats", "t9.reprise", "--times")["rows"]
        found = open_trace(9).load_imbalance()
        self.assertEqual(found["imbalance"].tolist(), [r["imbalance"] for r in rows])


class Simulated(unittest.TestCase):
    def test_simulation_is_that_of_the_command(self) -> None:
        expected = printed("simulate", "t9.reprise", "--latency", "2us", "--set", "network.buses=2")
        found = open_trace(9).simulate(latency="2us", settings={"network.buses": 2})
        self.assertEqual(found.time, expected["time_s"])
        self.assertEqual(found.efficiency, expected["efficiency"])
        self.assertEqual(found.sites["place"].tolist(), [s["place"] for s in expected["sites"]])
        self.assertEqual(len(found.streams), 9)

    def test_analysis_is_that_of_the_command(self) -> None:
        expected = printed("analyze", "t9.reprise")
        found = open_trace(9).analyze()
        self.assertEqual(found.to_dict(), expected)
        self.assertEqual(len(found.findings), len(expected["findings"]))


class Extrapolated(unittest.TestCase):
    def test_messages_on_more_ranks(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            trace = reprise.extrapolate([open_trace(4), open_trace(9), open_trace(16)], ranks=25)
        self.assertEqual(trace.ranks, 25)
        np.testing.assert_array_equal(trace.comm_matrix("count"), STEPS * neighbors(5))
        trace.save(FOLDER / "t25.reprise")
        self.assertEqual(printed("info", "t25.reprise")["ranks"], 25)
        with self.assertRaises(reprise.Error):
            trace.save(FOLDER / "t25.reprise")
        trace.save(FOLDER / "t25.reprise", overwrite=True)

    def test_warns_of_what_is_not_confirmed(self) -> None:
        with self.assertWarnsRegex(reprise.ExtrapolationWarning, "4 times those of the largest input"):
            reprise.extrapolate([open_trace(4), open_trace(9), open_trace(16)], ranks=64)


class Errors(unittest.TestCase):
    def test_words_are_those_of_the_command(self) -> None:
        (FOLDER / "text.reprise").write_text("no trace", encoding="utf-8")
        for call, words in (
            (lambda: reprise.open(FOLDER / "none.reprise"), ("info", str(FOLDER / "none.reprise"))),
            (lambda: reprise.open(FOLDER / "text.reprise"), ("info", str(FOLDER / "text.reprise"))),
            (lambda: open_trace(4).simulate(latency="2"), ("simulate", "t4.reprise", "--latency", "2")),
            (lambda: open_trace(4).simulate(settings={"a": 1}), ("simulate", "t4.reprise", "--set", "a=1")),
        ):
            with self.assertRaises(reprise.Error) as caught:
                call()
            self.assertEqual(str(caught.exception), error_of(*words))

    def test_names_that_are_no_text(self) -> None:
        with self.assertRaisesRegex(reprise.Error, "x\ufffd cannot be opened"):
            reprise.open(b"x\xff")

    def test_usage(self) -> None:
        for call in (
            lambda: open_trace(4).calls(4),
            lambda: open_trace(4).calls(-1),
            lambda: open_trace(4).comm_matrix("bytes"),
            lambda: open_trace(4).delta_histogram(10**6),
            lambda: reprise.extrapolate([open_trace(4)], ranks=9),
            lambda: reprise.extrapolate([open_trace(4), open_trace(9)], ranks=12, grid=(5, 5)),
            lambda: reprise.extrapolate([open_trace(4), open_trace(9)], ranks=12, parameters={"n": [1]}),
        ):
            with self.assertRaises(reprise.UsageError):
                call()
        self.assertTrue(issubclass(reprise.UsageError, ValueError))


class Documentation(unittest.TestCase):
    def test_everything_public_has_a_docstring(self) -> None:
        for name in reprise.__all__:
            item = getattr(reprise, name)
            self.assertTrue(item.__doc__, name)
            for member, value in vars(item).items() if isinstance(item, type) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(value.__doc__, f"{name}.{member}")


def main() -> int:
    parser = launch.options_parser(__doc__)
    parser.add_argument("program")
    options = parser.parse_args()
    COMMAND.append(options.reprise)
    global FOLDER  # noqa: PLW0603
    with tempfile.TemporaryDirectory() as name:
        FOLDER = Path(name)
        for ranks in (4, 9, 16):
            program = [options.program, "--steps", str(STEPS), "--cells", f"{EDGE}x{EDGE}"]
            command = launch.command(options.mpi, ranks, program)
            run = launch.run([*COMMAND, "record", "-o", str(FOLDER / f"t{ranks}.reprise"), "--", *command], options.waiting)
            if run.returncode:
                print(run.stdout, run.stderr, file=sys.stderr)
                return 1
        result = unittest.main(argv=[sys.argv[0]], exit=False).result
        return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
