"""Print where this book is published, for the steps that build it; runs in a workflow of the code host.

COMPANION_REPOSITORY comes from the variables that the host sets. COMPANION_SITE is what the host answers when it is
asked where the pages are, so that a domain of one's own counts as well; it is left out where there are no pages yet.
"""

from __future__ import annotations

import os
import subprocess
import sys


def repository() -> str:
    """Return the address of the repository; end with an error outside a workflow."""
    server, name = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    if not (server.startswith("https://") and name.count("/") == 1):
        sys.exit("GITHUB_SERVER_URL and GITHUB_REPOSITORY must be set: this runs in a workflow")
    return f"{server.rstrip('/')}/{name}"


def site() -> str | None:
    """Return the address of the pages, by https, or None where there are none."""
    command = ["gh", "api", f"repos/{os.environ['GITHUB_REPOSITORY']}/pages", "--jq", ".html_url"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    address = answer.stdout.strip().rstrip("/")
    if answer.returncode or "://" not in address:
        print("no pages: COMPANION_SITE is left out", file=sys.stderr)
        return None
    return "https://" + address.split("://", 1)[1]


def main() -> None:
    """Print a line for each address."""
    print(f"COMPANION_REPOSITORY={repository()}")
    address = site()
    if address:
        print(f"COMPANION_SITE={address}")


if __name__ == "__main__":
    main()
