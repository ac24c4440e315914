"""Open one issue where the weekly run found a difference, or add to the one that is open; runs in a workflow.

It reads `_build/verify/report.json` and `report.md`, which `python -m companion verify` writes. Without them the
run ended before it could report, which is told as well. Needs nothing but Python, and `gh` with GH_TOKEN.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LABEL = "weekly-run"
TITLE = "The weekly run with the newest dependencies differs"
#: The host refuses a longer text.
LONGEST = 60_000


def gh(*arguments: str) -> str:
    """Run gh and return what it prints; end with its message where it fails."""
    answer = subprocess.run(["gh", *arguments], capture_output=True, text=True, check=False)
    if answer.returncode:
        sys.exit(f"gh {' '.join(arguments[:2])} failed: {answer.stderr.strip()}")
    return answer.stdout.strip()


def body(folder: Path) -> str | None:
    """Return the text of the report, or None where the run found no difference."""
    server, name, run = (os.environ.get(f"GITHUB_{key}", "") for key in ("SERVER_URL", "REPOSITORY", "RUN_ID"))
    where = f"Run: {server}/{name}/actions/runs/{run}\n" if run else ""
    try:
        found = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        text = (folder / "report.md").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return f"The weekly run ended before it could report: see its log.\n\n{where}"
    if found["passed"]:
        return None
    if len(text) > LONGEST:
        text = text[:LONGEST] + "\n\n(The report is longer: the whole of it is kept with the run.)\n"
    intro = (
        "The notebooks were run with the newest versions that `pyproject.toml` allows. Not all came out as accepted."
    )
    return f"{intro}\n\n{text}\n{where}"


def main(folder: Path) -> None:
    """Report a difference once: a new issue where none is open, else a comment on the open one."""
    text = body(folder)
    if text is None:
        print("nothing differs: no issue")
        return
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "issue.md"
    file.write_text(text, encoding="utf-8", newline="\n")
    opened = json.loads(gh("issue", "list", "--label", LABEL, "--state", "open", "--json", "number") or "[]")
    if opened:
        number = str(min(item["number"] for item in opened))
        gh("issue", "comment", number, "--body-file", str(file))
        print(f"issue {number} is open: a comment was added")
        return
    gh("label", "create", LABEL, "--description", "Found by the weekly run", "--force")
    print(gh("issue", "create", "--title", TITLE, "--label", LABEL, "--body-file", str(file)))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "_build" / "verify")
