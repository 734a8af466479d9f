"""Traces."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from reprise import _core
from reprise._choices import check_choice, machine_words
from reprise._results import Diagnosis, Simulation

_DIRECTIONS = ("sent", "received", "written", "read")


class Call(NamedTuple):
    """An MPI call as a rank made it."""

    site: int
    """Index into `Trace.sites`; of a call that did not return, the number of sites or more."""
    function: str
    callpath: int
    """Index into `Trace.tree()["callpaths"]`."""
    parameters: dict[str, Any]
    """Numbers or names such as MPI_DOUBLE, or lists of them; ranks are those of the communicator."""
    returned: bool
    """False: the run ended within the call."""


def open(path: str | os.PathLike[str], *, wrappers: str = "auto") -> Trace:
    """Reads a trace.

    Parameters
    ----------
    path
        A file that `reprise record`, `merge`, `import` or `extrapolate` wrote.
    wrappers
        The functions that only pass calls on to MPI: "auto", "none", or names with commas.

    Raises
    ------
    Error
        The file cannot be read, is no trace, or is damaged.
    """
    return Trace(_core.open(os.fsencode(path), wrappers))


class Trace:
    """The calls of an MPI program on all ranks, with their times.

    It is read-only. Several threads may use it.
    """

    def __init__(self, content: _core.Trace) -> None:
        self._content = content

    def __repr__(self) -> str:
        return f"<reprise.Trace: {self.program or self._content.name}, {self.ranks} ranks>"

    @property
    def program(self) -> str:
        """The command line; for an extrapolated trace, its input traces."""
        return self._content.program

    @property
    def mpi(self) -> str:
        """The MPI library, such as "Open MPI v4.1.4"."""
        return self._content.mpi

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return self._content.ranks

    @property
    def threads(self) -> int:
        """Threads of a rank that call MPI."""
        return self._content.threads

    @property
    def has_times(self) -> bool:
        """Whether times were recorded."""
        return self._content.has_times

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the trace to a file."""
        self._content.save(os.fsencode(path), overwrite)

    def info(self) -> dict[str, Any]:
        """The program, size and losses of the trace, as `reprise info --json` prints.

        `file_bytes` is the size of the saved trace [bytes], `duration_us` the
        duration of the run [us].
        """
        return self._content.info()

    def tree(self) -> dict[str, Any]:
        """The program as procedures, loops, branches and calls, as `reprise show --json` prints.

        docs/show_json.md describes the members; `explained` is the program.
        """
        return self._content.tree()

    @property
    def sites(self) -> pd.DataFrame:
        """A row for each call of the program: `function`, `place`, `callpath` in words."""
        return pd.DataFrame(self._content.sites(), columns=["function", "place", "callpath"])

    def calls(self, rank: int, *, thread: int = 0) -> Iterator[Call]:
        """Iterates over the calls of one rank in order, in constant memory.

        Raises
        ------
        UsageError
            There is no such rank or thread.
        """
        if rank < 0 or thread < 0:
            raise _core.UsageError(f"there is no rank {rank} with a thread {thread}; both count from 0")
        return map(Call._make, self._content.calls(rank, thread))

    # Calls and bytes

    def flat_profile(self, by: str = "function", *, sort: str = "bytes") -> pd.DataFrame:
        """Calls, bytes and time by function, place or call path, over all ranks.

        Parameters
        ----------
        by : {"function", "site", "callpath"}
            The kind of rows.
        sort : {"bytes", "calls", "time"}
            The largest first.

        Returns
        -------
        DataFrame
            `function`, and `place` unless by function; `calls`, `bytes_sent`, `bytes_received`,
            `bytes_written`, `bytes_read` in all [bytes]; if times were recorded `time_ns`, spent in
            the calls, and `computation_ns` before them, in all [ns].
        """
        check_choice("sort", sort, ("bytes", "calls", "time"))
        if sort == "time" and not self.has_times:
            raise _core.UsageError(f"{self._content.name} has no times to sort by; sort by bytes or calls")
        rows = self.statistics(by, sort="bytes" if sort == "time" else sort)
        keys = ["function"] if by == "function" else ["function", "place"]
        columns = [*keys, "calls", *(f"bytes_{d}" for d in _DIRECTIONS)]
        out = rows[columns].copy()
        if not self.has_times:
            return out
        deltas = self.deltas()
        if by != "function":
            deltas["place"] = deltas["site"].map(self.sites["place" if by == "site" else "callpath"])
        sums = deltas.pivot_table(index=keys, columns="kind", values="total_ns", aggfunc="sum", fill_value=0)
        times = sums.reindex(columns=["communicate", "compute"], fill_value=0).astype("int64").reset_index()
        times = times.rename(columns={"communicate": "time_ns", "compute": "computation_ns"})
        out = out.merge(times, on=keys, how="left")
        if sort == "time":
            out = out.sort_values("time_ns", ascending=False, kind="stable", ignore_index=True)
        return out

    def statistics(self, by: str = "function", *, sort: str = "bytes") -> pd.DataFrame:
        """Calls and bytes with their spread over ranks, as `reprise stats` prints.

        Parameters
        ----------
        by : {"function", "site", "callpath"}
            The kind of rows.
        sort : {"bytes", "calls"}
            The largest first.

        Returns
        -------
        DataFrame
            `function`, and `place` unless by function. For `calls`, and for `bytes_sent`,
            `bytes_received`, `bytes_written` and `bytes_read` [bytes], a column with the sum over
            all ranks and columns with `_min`, `_min_rank`, `_max`, `_max_rank` added to the name.
            `calls_of_unknown_size`: calls whose bytes are not in the trace.
        """
        check_choice("by", by, ("function", "site", "callpath"))
        check_choice("sort", sort, ("bytes", "calls"))
        rows = []
        for row in self._content.statistics(by, sort)["rows"]:
            flat: dict[str, Any] = {}
            for name, value in row.items():
                if not isinstance(value, dict):
                    flat[name] = value
                    continue
                flat[name] = value["total"]
                flat.update({f"{name}_{k}": value[k] for k in ("min", "min_rank", "max", "max_rank")})
            rows.append(flat)
        keys = ["function"] if by == "function" else ["function", "place"]
        spreads = ["calls", *(f"bytes_{d}" for d in _DIRECTIONS)]
        ends = ("", "_min", "_min_rank", "_max", "_max_rank")
        columns = [*keys, *(s + e for s in spreads for e in ends), "calls_of_unknown_size"]
        return pd.DataFrame(rows, columns=columns)

    def comm_matrix(self, output: str = "size") -> npt.NDArray[np.uint64]:
        """Point-to-point messages between ranks.

        Parameters
        ----------
        output : {"size", "count"}
            Bytes, or numbers of messages.

        Returns
        -------
        ndarray of uint64, shape (ranks, ranks)
            Senders are rows, receivers columns [bytes or messages]. Messages of collectives are not
            in it; wildcards are matched as they were recorded.
        """
        check_choice("output", output, ("size", "count"))
        pairs = self._content.messages()
        out = np.zeros((self.ranks, self.ranks), dtype=np.uint64)
        out[pairs[:, 0].astype(np.intp), pairs[:, 1].astype(np.intp)] = pairs[:, 3 if output == "size" else 2]
        return out

    def comm_by_process(self, output: str = "size") -> pd.DataFrame:
        """Point-to-point messages that each rank sends and receives.

        Parameters
        ----------
        output : {"size", "count"}
            Bytes, or numbers of messages.

        Returns
        -------
        DataFrame
            `sent` and `received` by `rank` [bytes or messages].
        """
        check_choice("output", output, ("size", "count"))
        pairs = self._content.messages()
        amount = pairs[:, 3 if output == "size" else 2]
        out = np.zeros((self.ranks, 2), dtype=np.uint64)
        np.add.at(out[:, 0], pairs[:, 0].astype(np.intp), amount)
        np.add.at(out[:, 1], pairs[:, 1].astype(np.intp), amount)
        return pd.DataFrame(out, columns=["sent", "received"], index=pd.RangeIndex(self.ranks, name="rank"))

    def message_sizes(self) -> pd.DataFrame:
        """The number of point-to-point messages of each size.

        Returns
        -------
        DataFrame
            `size` [bytes], ascending, and `count`.

        Raises
        ------
        Error
            Sizes of messages cannot be distinguished from those of other operations.
        """
        sizes = self._content.message_sizes()
        pairs = self._content.messages()
        if sizes[:, 1].sum() != pairs[:, 2].sum() or (sizes[:, 0] * sizes[:, 1]).sum() != pairs[:, 3].sum():
            raise _core.Error(
                f"the sizes of single messages in {self._content.name} are not known (one-sided or neighborhood "
                "operations also exchange messages); use comm_matrix for the sums"
            )
        return pd.DataFrame(sizes, columns=["size", "count"])

    def message_histogram(self, bins: int = 20) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Histogram of the sizes of point-to-point messages.

        Returns
        -------
        counts : ndarray of int64, shape (bins,)
            Messages in each bin.
        edges : ndarray of float64, shape (bins + 1,)
            Edges of the bins [bytes], as `numpy.histogram` returns them.
        """
        sizes = self.message_sizes()
        weights = sizes["count"].to_numpy().astype(np.int64)
        counts, edges = np.histogram(sizes["size"].to_numpy().astype(np.float64), bins=bins, weights=weights)
        return counts.astype(np.int64), edges

    # Times

    def deltas(self) -> pd.DataFrame:
        """Durations that recur: time in each call, and computation before it, over all ranks.

        Returns
        -------
        DataFrame
            A row for each delta: `site`, index into `sites`; `function`; `kind`, "communicate" or
            "compute"; `after`, the site before the computation, "start", or None if the trace does
            not distinguish them; `executions`; `total_ns`, `mean_ns`, `min_ns`, `max_ns` [ns];
            `min_rank`, `max_rank`: where the extremes occurred; `concordance`, 0 to 1.

        Raises
        ------
        Error
            Times were not recorded.
        """
        functions = self.sites["function"]
        rows = []
        for site, kind, delta in self._deltas():
            row = {"site": site, "function": functions[site], "kind": kind, "after": delta.get("after")}
            for name in ("executions", "total_ns", "min_ns", "max_ns", "min_rank", "max_rank"):
                row[name] = delta.get(name, 0)
            row["mean_ns"] = row["total_ns"] / row["executions"] if row["executions"] else 0.0
            row["concordance"] = delta.get("concordance", 0.0)
            rows.append(row)
        columns = ["site", "function", "kind", "after", "executions", "total_ns", "mean_ns", "min_ns"]
        return pd.DataFrame(rows, columns=[*columns, "max_ns", "min_rank", "max_rank", "concordance"])

    def delta_histogram(self, delta: int) -> pd.DataFrame:
        """The histogram of one delta over all executions on all ranks.

        Parameters
        ----------
        delta
            Its row in `deltas()`.

        Returns
        -------
        DataFrame
            A row for each bin, ascending: `count`; `sum_ns`, `min_ns`, `max_ns`, `deviation_ns`
            (standard deviation) [ns].
        """
        found = self._deltas()
        if not 0 <= delta < len(found):
            raise _core.UsageError(f"there is no delta {delta}; choose one of 0 to {len(found) - 1}")
        columns = ["count", "sum_ns", "min_ns", "max_ns", "deviation_ns"]
        return pd.DataFrame(found[delta][2]["bins"], columns=columns)

    def delta_times(self) -> npt.NDArray[np.float64]:
        """The total time of each stream in each delta.

        Returns
        -------
        ndarray of float64, shape (deltas, ranks x threads)
            Time in all [ns], rows as in `deltas()`; estimated by the histogram of similar streams
            if the trace has no sums of streams.
        """
        return self._content.times_by_stream()

    def delta_executions(self) -> npt.NDArray[np.uint64]:
        """The number of executions of each delta by each stream, shape (deltas, ranks x threads)."""
        return self._content.executions_by_stream()

    def load_imbalance(self) -> pd.DataFrame:
        """Where time goes, the costliest imbalance first, as `reprise stats --times` prints.

        Returns
        -------
        DataFrame
            `what`, "compute" or "communicate"; `function`, `callpath`, `after`; `executions`,
            `total_ns`, `mean_ns` of an execution; `rank_mean_ns` and `rank_max_ns`, the
            mean and maximum time of a rank [ns]; `slowest_rank`; `imbalance`, the maximum over
            the mean (1 is even, as in Pipit).

        Raises
        ------
        Error
            Times were not recorded.
        """
        columns = ["what", "function", "callpath", "after", "executions", "total_ns", "mean_ns"]
        columns += ["rank_mean_ns", "rank_max_ns", "slowest_rank", "imbalance"]
        return pd.DataFrame(self._content.time_table()["rows"], columns=columns)

    def _deltas(self) -> list[tuple[int, str, dict[str, Any]]]:
        out = []
        for site, times in enumerate(self._content.times()):
            out.append((site, "communicate", times["communicate"]))
            out.extend((site, "compute", path) for path in times["compute"])
        return out

    # Simulated runs

    def simulate(
        self,
        machine: str | os.PathLike[str] | None = None,
        *,
        latency: str | None = None,
        bandwidth: str | None = None,
        cpu_ratio: float | None = None,
        eager: str | None = None,
        settings: Mapping[str, object] | None = None,
        compute: str = "mean",
        wildcards: str = "arrival",
        seed: int = 1,
    ) -> Simulation:
        """Simulates the run on a machine.

        Parameters
        ----------
        machine
            A file in TOML (docs/simulate.md has the keys).
        latency, bandwidth, cpu_ratio, eager
            As the options of `reprise simulate`: "2us", "10GB/s", 2 for processors twice as fast,
            "64KiB". Quantities need a unit.
        settings
            Further settings by their keys, such as {"network.buses": 8}.
        compute : {"mean", "sampled", "none"}
            The mean of each rank at each place, samples of its histogram, or no computation.
        wildcards : {"arrival", "recorded"}
            How wildcard receives are matched.
        seed
            Seed for the samples.

        Raises
        ------
        Error
            The trace cannot be simulated, or the run ends in a deadlock.
        """
        check_choice("compute", compute, ("mean", "sampled", "none"))
        check_choice("wildcards", wildcards, ("arrival", "recorded"))
        file, words = machine_words(machine, latency, bandwidth, cpu_ratio, eager, settings)
        return Simulation(self._content.simulate(file, words, compute, wildcards, seed))

    def analyze(
        self,
        machine: str | os.PathLike[str] | None = None,
        *,
        latency: str | None = None,
        bandwidth: str | None = None,
        cpu_ratio: float | None = None,
        eager: str | None = None,
        settings: Mapping[str, object] | None = None,
        wildcards: str = "arrival",
        threshold: float = 0.01,
    ) -> Diagnosis:
        """Finds what costs time in the simulated run, and why (docs/analysis.md).

        Parameters
        ----------
        machine, latency, bandwidth, cpu_ratio, eager, settings, wildcards
            As in `simulate`.
        threshold
            Findings cost at least this share of the run's time, 0 to 1.
        """
        check_choice("wildcards", wildcards, ("arrival", "recorded"))
        file, words = machine_words(machine, latency, bandwidth, cpu_ratio, eager, settings)
        return Diagnosis(self._content.analyze(file, words, wildcards, threshold))
