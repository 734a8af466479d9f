"""Extrapolation of traces to other numbers of ranks."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from reprise import _core
from reprise._choices import check_choice
from reprise._trace import Trace


class ExtrapolationWarning(UserWarning):
    """Something about an extrapolated trace that is not exact or not confirmed."""


def extrapolate(
    traces: Sequence[Trace],
    ranks: int,
    *,
    grid: Sequence[int] = (),
    parameters: Mapping[str, Sequence[int]] | None = None,
    at: Mapping[str, int] | None = None,
    time_model: str = "curves",
    approximate: bool = False,
) -> Trace:
    """Makes the trace of a program on `ranks` ranks from traces on fewer.

    Every parameter of every call has to follow a law that explains all traces exactly.

    Parameters
    ----------
    traces
        Two or more, of one program on different numbers of ranks.
    ranks
        Number of ranks of the new trace.
    grid
        Extents of the grid that they form, as the program's options have it: the dimension in which
        neighbors are one rank apart comes last. Default: the extents that follow from the laws.
    parameters
        Sizes of the problem that differ between the traces: a value for each trace, by name.
    at
        Their values in the new trace. Default: the value in all traces, if it is the same.
    time_model : {"curves", "paper", "none"}
        How times are extrapolated.
    approximate
        Whether trip counts without a law may be drawn from a distribution, and sizes without a law
        be replaced by their mean.

    Raises
    ------
    Error
        A parameter has no law; the text names it, with its values.

    Warns
    -----
    ExtrapolationWarning
        The traces do not confirm the laws on so many ranks, or something is not exact.
    """
    check_choice("time_model", time_model, ("curves", "paper", "none"))
    if len(traces) < 2:
        raise _core.UsageError(
            "one trace is not enough to find laws (a law needs two or more); record the program on other numbers of ranks"
        )
    if ranks < 1:
        raise _core.UsageError(f"{ranks} ranks cannot run a program (it takes one or more); choose more")
    wanted = dict(at or {})
    declared = {name: list(values) for name, values in (parameters or {}).items()}
    for name, values in declared.items():
        if len(values) != len(traces):
            raise _core.UsageError(f"{name} has {len(values)} values for {len(traces)} traces; give one for each")
        if name not in wanted:
            if len(set(values)) != 1:
                raise _core.UsageError(f"the {name} of the new trace is missing; add it to `at`")
            wanted[name] = values[0]
    unknown = sorted(set(wanted) - set(declared))
    if unknown:
        raise _core.UsageError(f"{unknown[0]} has no values in the traces; add it to `parameters`")
    product = 1
    for extent in grid:
        product *= extent
    if grid and product != ranks:
        raise _core.UsageError(f"a grid with {product} places does not hold {ranks} ranks; it takes one place for each")
    inputs = [t._content for t in traces]  # noqa: SLF001
    made, said = _core.extrapolate(inputs, ranks, list(grid)[::-1], declared, wanted, time_model, approximate)
    for text in said:
        warnings.warn(text, ExtrapolationWarning, stacklevel=2)
    return Trace(made)
