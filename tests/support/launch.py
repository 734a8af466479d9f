"""How the tests start MPI programs: many ranks on few cores, as any user, without a terminal."""

import argparse
import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",  # not allowed in containers
    "OMPI_MCA_osc": "pt2pt",  # the other ways of one-sided communication need that mechanism
}
LAUNCHERS = {"openmpi": "mpirun.openmpi", "mpich": "mpirun.mpich"}


def environment(waiting: Path | None) -> dict[str, str]:
    """The test's environment; `waiting` is the library that makes waiting cheap."""
    # Two jobs of Open MPI that begin at once may both make the folder of all sessions, and one of them gives up.
    sessions = tempfile.mkdtemp(prefix="mpi")
    atexit.register(shutil.rmtree, sessions, ignore_errors=True)
    env = {**os.environ, **SETTINGS, "OMPI_MCA_orte_tmpdir_base": sessions}
    if waiting:
        env["LD_PRELOAD"] = str(waiting)
    return env


def command(mpi: str, ranks: int, program: list[str]) -> list[str]:
    return [LAUNCHERS[mpi], "-n", str(ranks), *program]


def run(words: list[str], waiting: Path | None, seconds: float = 500) -> subprocess.CompletedProcess[str]:
    """What a command says; it and all that it has started are ended after so long."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, env=environment(waiting), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            out, error = process.communicate(timeout=seconds)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, error)


def options_parser(description: str | None) -> argparse.ArgumentParser:
    """Of a test of recorded programs: with what all of them are told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--mpi", required=True, choices=LAUNCHERS)
    parser.add_argument("--waiting", type=Path, help="library that makes waiting cheap")
    return parser
