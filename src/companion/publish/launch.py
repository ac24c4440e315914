"""Make links that start a page on Binder, at the release tag, and only to what exists there.

Binder builds an environment from `.binder/` of a public repository and opens a notebook in JupyterLab, through
jupytext. It knows a repository by its host, so a repository on another host gets no link; nor does a page that the
release does not have. Colab opens only .ipynb files in a repository, of which this one has none: no link for it.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

from companion.publish.publication import Publication

#: What Binder makes the environment from, besides the repository itself.
NEEDED = (".binder/environment.yml", ".binder/requirements.txt", ".binder/postBuild")


@cache
def files_at(root: Path, tag: str) -> frozenset[str]:
    """Return the paths of all files of a tag of the repository at `root`; none where there is no such tag."""
    command = ["git", "-C", str(root), "ls-tree", "-r", "-z", "--name-only", "--full-tree", f"refs/tags/{tag}"]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(answer.stdout.decode("utf-8", errors="replace").split("\0"))


def launch_of(publication: Publication, page: str, files: frozenset[str]) -> str | None:
    """Return the address that opens a notebook on Binder at the release, or None where it would lead nowhere.

    `files` are the paths that the release holds.
    """
    source = f"notebooks/{page}.md"
    name = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?", publication.repository or "")
    if name is None or not files.issuperset({source, *NEEDED}):
        return None
    opened = f"lab/tree/{source}".replace("/", "%2F")
    return f"https://mybinder.org/v2/gh/{name[1]}/{publication.tag}?urlpath={opened}"
