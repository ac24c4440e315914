"""Accept the data behind a figure, so that a figure changes by decision.

An accepted table is a CSV file under `data/results/figures/<profile>/`, listed in `data/results/manifest.json` with
its hash, the reason for which it was accepted and what computed it; the log `CHANGES.md` beside it repeats the reason.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from companion.ledger.accepted import accept_command, check_key, table_text
from companion.ledger.registry import FigureSpec, check_reason
from companion.paths import Layout, json_text, write_whole
from companion.run.provenance import numerics, sha256_of, versions

__all__ = ["accept_table", "read_manifest", "verify_manifest"]

#: The section of the log where a line goes; at a release it gets the number of the version.
UNRELEASED = "## Unreleased"


def read_manifest(layout: Layout) -> dict[str, dict[str, Any]]:
    """Return the entry of each accepted table by its name, for example `figures/quick/<id>.csv`."""
    if not layout.manifest.is_file():
        return {}
    document: dict[str, dict[str, Any]] = json.loads(layout.manifest.read_text(encoding="utf-8"))
    return document


def _log(path: Path, line: str) -> None:
    text = path.read_text(encoding="utf-8") if path.is_file() else "# Accepted data of the figures\n"
    head, *sections = re.split(r"(?m)^(?=## )", text)
    if not (sections and sections[0].rstrip("\n").split("\n")[0] == UNRELEASED):
        sections.insert(0, UNRELEASED)
    title, _, entries = sections[0].partition("\n")
    sections[0] = f"{title}\n\n" + f"{entries.strip()}\n{line}".lstrip()
    write_whole(path, "\n\n".join(part.strip("\n") for part in (head, *sections) if part.strip()) + "\n")


@dataclass(frozen=True)
class Accepted:
    """Say what was accepted: `changed` is False where the very same bytes were accepted before."""

    path: Path
    sha256: str
    changed: bool


def accept_table(layout: Layout, spec: FigureSpec, profile: str, table: pd.DataFrame, why: str) -> Accepted:
    """Write a table as the accepted data of a figure, with its hash and reason, and a line of the log.

    Accepting the bytes that are accepted already changes nothing. Raises CompanionError without a reason.
    """
    reason = check_reason(why)
    check_key(spec, table)
    path = layout.reference(profile, spec.id)
    name = path.relative_to(layout.results).as_posix()
    before = read_manifest(layout)
    text = table_text(spec.id, table)
    same = path.is_file() and path.read_text(encoding="utf-8") == text
    write_whole(path, text)
    digest = sha256_of(path)
    if same and before.get(name, {}).get("sha256") == digest:
        return Accepted(path, digest, changed=False)
    command = accept_command(spec, profile).replace('"..."', json.dumps(reason, ensure_ascii=False))
    made = {"versions": versions(), "numerics": numerics()}
    entries = {**before, name: {"sha256": digest, "reason": reason, "command": command, **made}}
    write_whole(layout.manifest, json_text(entries))
    _log(layout.changes, f"- figure `{spec.id}` (profile {profile}): {reason} [{digest[:8]}]")
    return Accepted(path, digest, changed=True)


def verify_manifest(root: Path) -> list[str]:
    """Return the faults of the manifest, one a line; empty where every reference is accounted for.

    Each file must be listed with the hash it has, each listed file must exist, and the log must mention each
    with the first eight digits of its hash.
    """
    layout = Layout(root)
    entries = read_manifest(layout)
    folder = layout.results / "figures"
    present = {path.relative_to(layout.results).as_posix() for path in folder.rglob("*.csv")}
    log = layout.changes.read_text(encoding="utf-8") if layout.changes.is_file() else ""
    faults = [f"{name}: not in the manifest" for name in sorted(present - set(entries))]
    for name, entry in sorted(entries.items()):
        if name not in present:
            faults.append(f"{name}: in the manifest, but there is no such file")
            continue
        digest = sha256_of(layout.results / name)
        if digest != entry.get("sha256"):
            faults.append(f"{name}: changed without being accepted (hash {digest[:8]}, manifest {entry.get('sha256')})")
            continue
        if not str(entry.get("reason", "")).strip():
            faults.append(f"{name}: accepted without a reason")
        _, profile, file = name.split("/")
        mention = f"figure `{file.removesuffix('.csv')}` (profile {profile})"
        if not any(mention in line and f"[{digest[:8]}]" in line for line in log.splitlines()):
            faults.append(f"{name}: CHANGES.md has no line with {mention} and [{digest[:8]}]")
    return faults
