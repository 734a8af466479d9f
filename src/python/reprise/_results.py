"""Results of simulations."""

from __future__ import annotations

from typing import Any

import pandas as pd


class Simulation:
    """A simulated run: what `reprise simulate` prints."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def __repr__(self) -> str:
        return f"<reprise.Simulation: {self.ranks} ranks, {self.time:.6g} s>"

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return int(self._document["ranks"])

    @property
    def time(self) -> float:
        """Time of the run [s]."""
        return float(self._document["time_s"])

    @property
    def efficiency(self) -> dict[str, float | None]:
        """Efficiencies as POP defines them, each between 0 and 1.

        None where nothing is computed, for all but `transfer`. `parallel` is `load_balance` x `communication`, and `communication` is `serialization` x
        `transfer`.
        """
        return dict(self._document["efficiency"])

    @property
    def sites(self) -> pd.DataFrame:
        """A row for each call site, the one with most time on the critical path first.

        Returns
        -------
        DataFrame
            `function`, `place`, `calls`; `computation_s`, `transfer_s`, `waiting_s`: sums over all
            ranks [s]; `critical_path_s` and its parts [s].
        """
        return pd.DataFrame(self._document.get("sites", []))

    @property
    def streams(self) -> pd.DataFrame:
        """A row for each thread of each rank.

        Returns
        -------
        DataFrame
            `rank`, `thread`, `calls`, `computation_s`, `transfer_s`, `waiting_s`, `end_s` [s].
        """
        return pd.DataFrame(self._document.get("streams", []))

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `reprise simulate --json` prints (docs/simulate.md)."""
        return self._document


def _flat(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows whose objects are columns such as `at.function`."""
    return pd.json_normalize(rows) if rows else pd.DataFrame()


class Diagnosis:
    """What costs time in a simulated run: what `reprise analyze` prints."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def __repr__(self) -> str:
        return f"<reprise.Diagnosis: {len(self._document['findings'])} findings in {self.time:.6g} s>"

    @property
    def time(self) -> float:
        """Time of the run [s]."""
        return float(self._document["time_s"])

    @property
    def efficiency(self) -> dict[str, float | None]:
        """Efficiencies as POP defines them, each between 0 and 1.

        None where nothing is computed, for all but `transfer`.
        """
        return dict(self._document["efficiency"])

    @property
    def findings(self) -> pd.DataFrame:
        """A row for each finding, the costliest first.

        Returns
        -------
        DataFrame
            `id`, `cost_s` [s], `share` of the run's time (0 to 1), `is_upper_bound`, `at.function`,
            `at.place`, `ranks` (ranges with first and last), `advice`, and where they apply:
            `cause.at.place` (the cause lies elsewhere), `balances_all` (of an imbalance or long
            executions: the cost is with all ranks at the mean), `in_turn` (most of the waiting
            ranks are waited for, too), `executions` (groups with `share`, 0 to 1, and `mean_s` [s],
            the longest first), `costs_alone_s` (of variation: before this call alone [s]),
            `critical_path_s` (of latency and bandwidth: in this call [s]). Empty, without columns,
            if nothing costs enough.
        """
        return _flat(self._document["findings"])

    @property
    def wait_states(self) -> pd.DataFrame:
        """A row for each wait state of each call, the longest first; `time_s` is over all ranks [s]."""
        return _flat(self._document["wait_states"])

    @property
    def imbalances(self) -> pd.DataFrame:
        """A row for each call before which ranks compute unevenly, the greatest excess first."""
        return _flat(self._document["imbalances"])

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `reprise analyze --json` prints (docs/analysis.md)."""
        return self._document
