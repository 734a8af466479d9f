"""Arguments that are one of a few words, and those that describe a machine."""

from __future__ import annotations

import os
from collections.abc import Mapping

from reprise._core import UsageError


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Raises UsageError unless the value is one of the choices."""
    if value not in choices:
        raise UsageError(f"{name} cannot be {value!r} (it is one of {', '.join(choices)}); choose one of them")


def machine_words(
    machine: str | os.PathLike[str] | None,
    latency: str | None,
    bandwidth: str | None,
    cpu_ratio: float | None,
    eager: str | None,
    settings: Mapping[str, object] | None,
) -> tuple[bytes, list[str]]:
    """The file of a machine, and settings as KEY=VALUE of which the later of two counts."""
    named: dict[str, object] = {
        "network.latency": latency,
        "network.bandwidth": bandwidth,
        "node.cpu_ratio": cpu_ratio,
        "network.eager": eager,
        **(settings or {}),
    }
    words = [f"{key}={value}" for key, value in named.items() if value is not None]
    return (b"" if machine is None else os.fsencode(machine)), words
