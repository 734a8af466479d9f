"""Parts of generated programs that are kept in files, to be read and compared."""

import os
import sys
from pathlib import Path


def is_golden(part: str, golden: Path) -> bool:
    """Whether the part is what the file has; REPRISE_UPDATE_GOLDENS=1 writes it there."""
    own = part.rstrip() + "\n"
    if os.environ.get("REPRISE_UPDATE_GOLDENS"):
        golden.write_text(own)
    if golden.exists() and golden.read_text() == own:
        return True
    print(f"{golden} has another program:\n{own}", file=sys.stderr)
    return False
