"""How a program is recorded by the independent recorder, otf2_recorder.c."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from launch import command, environment  # noqa: E402


def record(options, folder: Path) -> None:
    env = environment(None)
    preload = [str(options.recorder)] + ([str(options.waiting)] if options.waiting else [])
    env |= {"LD_PRELOAD": ":".join(preload), "OTF2_RECORDER_OUT": str(folder), "OTF2_RECORDER_COMMS": options.comms}
    subprocess.run(command(options.mpi, options.ranks, options.program), env=env, check=True, timeout=500,
                   stdout=subprocess.DEVNULL)


def run(*words: object) -> str:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ends with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout
