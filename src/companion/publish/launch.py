"""Make links that start a page elsewhere, on the release tag, and only to what exists there.

Binder builds an environment from `.binder/` of a public repository and opens a notebook in JupyterLab, through
jupytext. It knows a repository by its host, so a repository on another host gets no link; nor does a page that the
release does not have. Colab opens only .ipynb files in a repository, of which this one has none: no link for it.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlsplit

from companion.publish.publication import Publication

__all__ = ["BINDER", "NEEDED", "Launch", "files_at", "launch_of"]

BINDER = "https://mybinder.org/v2/gh"
#: What Binder makes the environment from, besides the repository itself.
NEEDED = (".binder/environment.yml", ".binder/requirements.txt", ".binder/postBuild")

#: The one kind of host that Binder's scheme `gh` means.
_HOST = "github.com"
_NAME = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")


@dataclass(frozen=True)
class Launch:
    """Hold one link: the words that a reader sees, and the address."""

    text: str
    address: str


def _name_of(publication: Publication) -> str | None:
    """Return `owner/name` of a repository on the host that Binder knows, or None."""
    parts = urlsplit(publication.repository or "")
    name = parts.path.strip("/").removesuffix(".git")
    return name if parts.netloc.lower() == _HOST and _NAME.fullmatch(name) else None


@cache
def files_at(root: Path, tag: str) -> frozenset[str]:
    """Return the paths of all files of a tag of the repository at `root`; none where there is no such tag."""
    command = ["git", "-C", str(root), "ls-tree", "-r", "-z", "--name-only", "--full-tree", f"refs/tags/{tag}"]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    names = answer.stdout.decode("utf-8", errors="replace").split("\0") if answer.returncode == 0 else []
    return frozenset(name for name in names if name)


def launch_of(publication: Publication, page: str, files: frozenset[str]) -> Launch | None:
    """Return the link that opens a notebook on Binder at the release, or None where it would lead nowhere.

    `files` are the paths that the release holds.
    """
    name, source = _name_of(publication), f"notebooks/{page}.md"
    if name is None or not files.issuperset({source, *NEEDED}):
        return None
    opened = quote(f"lab/tree/{source}", safe="")
    return Launch("Run on Binder", f"{BINDER}/{name}/{publication.tag}?urlpath={opened}")
