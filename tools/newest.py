"""Make an environment with the newest versions that pyproject.toml allows.

It is .venv-newest, and does not look at the lock.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv-newest"


def main() -> None:
    """Make it anew, and print the versions that it has.

    Ends with an error where pip finds none that agree.
    """
    spec = importlib.util.spec_from_file_location("env", ROOT / "tools" / "env.py")
    if spec is None or spec.loader is None:
        sys.exit("tools/env.py is not there")
    env = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(env)
    python = env.create(FOLDER)
    env.pip(
        python,
        "install",
        "--quiet",
        "--upgrade",
        "--upgrade-strategy",
        "eager",
        "-e",
        ".[book]",
    )
    env.pip(python, "check")
    env.pip(python, "freeze", "--exclude-editable")


if __name__ == "__main__":
    main()
