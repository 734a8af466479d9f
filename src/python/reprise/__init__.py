"""Reads, analyzes, simulates and extrapolates traces of MPI programs.

    import reprise
    trace = reprise.open("app.reprise")
    trace.flat_profile()                       # calls, bytes and time by function
    trace.analyze(latency="2us").findings      # what costs time, the costliest first
    small = [reprise.open(f"t{n}.reprise") for n in (4, 9, 16)]
    reprise.extrapolate(small, ranks=1024).simulate(bandwidth="25GB/s").time

Tables are pandas data frames, matrices NumPy arrays. Recorded times are in nanoseconds, simulated
times in seconds; the names of columns end in the unit. Methods that Pipit has, too, have the same
names. Problems are raised as `Error`, with the text that the command prints.
"""

from reprise._core import Error, UsageError
from reprise._extrapolate import ExtrapolationWarning, extrapolate
from reprise._results import Diagnosis, Simulation
from reprise._trace import Call, Trace, open

__all__ = [
    "Call",
    "Diagnosis",
    "Error",
    "ExtrapolationWarning",
    "Simulation",
    "Trace",
    "UsageError",
    "extrapolate",
    "open",
]
