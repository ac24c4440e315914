"""Accept the data behind a figure, so that a figure changes by decision.

An accepted table is a CSV file under `data/results/figures/<profile>/`, listed in
`data/results/manifest.json` with its hash, the reason for which it was accepted and
what computed it; the log `CHANGES.md` beside it repeats the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import pandas as pd

from companion.ledger.registry import FigureSpec, check_reason
from companion.paths import Layout, json_text, read_json, write_whole
from companion.provenance import numerics, sha256_of, versions
from companion.snapshots.compare import accept_command, check_key, table_text

#: The section of the log where a line goes; at a release it gets the number of the
#: version.
UNRELEASED = "## Unreleased"


class Accepted(TypedDict):
    """How one table was accepted: its hash, the reason, and what computed it."""

    sha256: str
    reason: str
    command: str
    versions: dict[str, str]
    numerics: dict[str, str]


def read_manifest(layout: Layout) -> dict[str, Accepted]:
    """Return the entry of each accepted table by its name.

    A name is, for example, `figures/quick/<id>.csv`.
    """
    if not layout.manifest.is_file():
        return {}
    manifest: dict[str, Accepted] = read_json(layout.manifest)
    return manifest


def _read_log(layout: Layout) -> str:
    if not layout.changes.is_file():
        return "# Accepted data of the figures\n\n"
    return layout.changes.read_text(encoding="utf-8")


def _log(layout: Layout, line: str) -> None:
    head, *sections = re.split(r"(?m)^(?=## )", _read_log(layout))
    if not (sections and sections[0].startswith(UNRELEASED)):
        sections.insert(0, f"{UNRELEASED}\n")
    above = sections[0].rstrip()
    blank = "\n\n" if above == UNRELEASED else "\n"
    sections[0] = f"{above}{blank}{line}\n\n"
    write_whole(layout.changes, "".join([head, *sections]).rstrip() + "\n")


def _mention(figure: str, profile: str) -> str:
    """Return how a line of the log names a figure."""
    return f"figure `{figure}` (profile {profile})"


def accept_table(
    layout: Layout,
    spec: FigureSpec,
    profile: str,
    table: pd.DataFrame,
    why: str,
) -> tuple[str, bool]:
    """Write a table as the accepted data of a figure, with a line of the log.

    The manifest gets its hash and the reason. Returns the hash, and False where the
    very same bytes were accepted before, which changes nothing. Raises CompanionError
    without a reason.
    """
    reason = check_reason(why)
    check_key(spec, table)
    path = layout.reference(profile, spec.id)
    entries = read_manifest(layout)
    name = path.relative_to(layout.results).as_posix()
    write_whole(path, table_text(spec.id, table))
    digest = sha256_of(path)
    if name in entries and entries[name]["sha256"] == digest:
        return digest, False
    command = accept_command(spec.id, profile).replace(
        '"..."', json.dumps(reason, ensure_ascii=False)
    )
    entries[name] = {
        "sha256": digest,
        "reason": reason,
        "command": command,
        "versions": versions(),
        "numerics": numerics(),
    }
    write_whole(layout.manifest, json_text(entries))
    _log(layout, f"- {_mention(spec.id, profile)}: {reason} [{digest[:8]}]")
    return digest, True


def verify_manifest(root: Path) -> list[str]:
    """Return the faults of the manifest; none where each reference is accounted for.

    Each file must be listed with the hash it has, each listed file must exist, and the
    log must mention each with the first eight digits of its hash.
    """
    layout = Layout(root)
    entries = read_manifest(layout)
    log = _read_log(layout).splitlines()
    present = {
        path.relative_to(layout.results).as_posix()
        for path in layout.results.glob("figures/*/*.csv")
    }
    faults = [f"{name}: not in the manifest" for name in sorted(present - set(entries))]
    for name, entry in sorted(entries.items()):
        if name not in present:
            faults.append(f"{name}: in the manifest, but there is no such file")
            continue
        digest = sha256_of(layout.results / name)
        fault = _fault_of_entry(name, entry, digest, log)
        if fault:
            faults.append(f"{name}: {fault}")
    return faults


def _fault_of_entry(
    name: str,
    entry: Accepted,
    digest: str,
    log: Sequence[str],
) -> str | None:
    """Return what is wrong with an entry of a file that has this hash."""
    short = digest[:8]
    if digest != entry["sha256"]:
        return (
            f"changed without being accepted (hash {short}, manifest {entry['sha256']})"
        )
    if not entry["reason"]:
        return "accepted without a reason"
    _, profile, file = name.split("/")
    mention = _mention(file.removesuffix(".csv"), profile)
    if not any(mention in line and f"[{short}]" in line for line in log):
        return f"CHANGES.md has no line with {mention} and [{short}]"
    return None
