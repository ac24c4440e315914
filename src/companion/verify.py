"""Verify the book: execute every notebook anew, judge every claim, compare every figure, and report.

No kept execution is used and no page is rendered. Whatever goes wrong is listed, and
all the rest is still done. The report is JSON for programs, and Markdown that a reader
can attach to a review.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2

from companion import __version__
from companion.build import Run, run_book
from companion.ledger.claims import scoreboard_lines
from companion.ledger.exercises import RECORD
from companion.ledger.verdicts import VERDICTS
from companion.paths import Layout, json_text, write_whole
from companion.provenance import (
    commit,
    describe_machine,
    installed,
    sha256_of,
    versions,
)
from companion.run.cache import Entry
from companion.run.normalise import without_paths
from companion.snapshots.compare import Distance
from companion.snapshots.update import verify_manifest

#: What the verdicts rest on, beside the code that the commit names.
INPUTS = (
    "data/claims.yml",
    "data/figures.yml",
    "data/results/manifest.json",
    "requirements.lock",
)
#: Libraries that notebooks check against, beside those that compute.
COMPARED = ("opendp", "dp-accounting", "joblib")
#: What a fault can be of, in words for the sentence.
KINDS = {
    "notebook": "notebook(s) that failed",
    "claim": "claim(s) not as the ledger says",
    "figure": "figure(s) with other data than the accepted ones",
    "exercise": "notebook(s) with exercises not in order",
    "accepted data": "file(s) of accepted data not accounted for",
}


def _faults(kind: str, texts: Sequence[str]) -> list[dict[str, str]]:
    """Return faults of one kind from lines `name: message`."""
    return [
        {"kind": kind, "name": name, "message": message}
        for name, _, message in (t.partition(": ") for t in texts)
    ]


def _state(far: Distance) -> str:
    return (
        "changed"
        if far.tolerances > 1
        else "within tolerance"
        if far.tolerances
        else "identical"
    )


def _notebook(page: str, entry: Entry, message: str | None) -> dict[str, Any]:
    solved = entry.run / RECORD
    whole = message is None
    return {
        "page": page,
        "state": "ran" if whole else "failed",
        "tests": len(list(entry.run.glob("evidence/*.json"))) if whole else 0,
        "solutions": len(json.loads(solved.read_text(encoding="utf-8")))
        if whole and solved.is_file()
        else 0,
        "seconds": entry.seconds,
        "processor_seconds": entry.usage.get("cpu_seconds"),
        "peak_mib": entry.usage.get("peak_mib"),
        "message": message,
    }


def _sentence(document: Mapping[str, Any]) -> str:
    """Return the overall sentence of a report, from what it lists."""
    faults = document["faults"]
    verdicts = [claim["verdict"] for claim in document["claims"]]
    if faults:
        kinds = {
            kind: sorted({fault["name"] for fault in faults if fault["kind"] == kind})
            for kind in KINDS
        }
        told = [
            f"{len(names)} {KINDS[kind]} ({', '.join(names[:10])})"
            for kind, names in kinds.items()
            if names
        ]
        return f"NOT VERIFIED: {'; '.join(told)}."
    states = [figure["state"] for figure in document["figures"]]
    aside = {
        VERDICTS[name].words: verdicts.count(name)
        for name in ("outside", "not-yet-checked")
    }
    rest = "".join(
        f"; {count} more claims are {text}" for text, count in aside.items() if count
    )
    return (
        f"VERIFIED: each of {len(verdicts) - sum(aside.values())} claims has the verdict that the ledger prints, "
        f"computed from {sum(len(claim['evidence']) for claim in document['claims'])} tests, each with a control, in "
        f"{len(document['notebooks'])} notebooks that were all run anew; the data of {len(states)} figures were "
        f"computed again and agree with the accepted ones ({states.count('identical')} to the last digit){rest}."
    )


def _cell(value: object) -> str:
    """Return a value as a cell of a table."""
    return "–" if value is None else " ".join(str(value).replace("|", "\\|").split())


def _write(folder: Path, document: Mapping[str, Any]) -> Path:
    """Write report.json and report.md into the folder and return the latter, each there whole or not at all."""
    environment = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters.update(
        cell=_cell, count="{:,}".format, verdict=lambda name: VERDICTS[name].words
    )
    source = (
        resources.files("companion")
        .joinpath("verify.md.j2")
        .read_text(encoding="utf-8")
    )
    write_whole(folder / "report.json", json_text(document))
    write_whole(
        folder / "report.md",
        environment.from_string(source).render(document).rstrip() + "\n",
    )
    return folder / "report.md"


def _report(layout: Layout, run: Run, profile: str) -> dict[str, Any]:
    """Return the report on a run, as JSON has it, but for the seconds that it took."""
    claims = run.ledger["claims"]
    paths = {
        str(layout.root): "<book>",
        sys.prefix: "<python>",
        sys.base_prefix: "<python>",
    }
    failed = {
        page: without_paths(entry.failed, paths)
        for page, entry in run.entries.items()
        if entry.failed
    }
    homes = {claim["id"]: claim["notebook"] for claim in claims}
    own = Counter(homes.values())
    figures = {
        name: far
        for name, far in run.figures.items()
        if name.partition("/")[0] not in failed
    }
    changed = [
        f"{far.figure}: {far.told(profile)}"
        for far in figures.values()
        if far.tolerances > 1
    ]
    lost = "{}: {}\n({} claim(s) of this notebook have no verdict in this run)"
    faults = [
        *_faults(
            "notebook",
            [
                lost.format(page, text, own[page])
                for page, text in sorted(failed.items())
            ],
        ),
        *_faults(
            "claim",
            [
                text
                for text in run.disagreements
                if homes.get(text.split(": ")[0]) not in failed
            ],
        ),
        *_faults("figure", changed),
        *_faults("exercise", run.exercises),
        *_faults("accepted data", verify_manifest(layout.root)),
    ]
    wrong = {fault["name"] for fault in faults if fault["kind"] == "claim"}
    head = commit(layout.root)
    for claim in claims:
        claim["as_expected"] = (
            claim["verdict"] == claim["expected"] and claim["id"] not in wrong
        )
    document = {
        "report": "verification 3",
        "passed": not faults,
        "faults": faults,
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "book": {
            "version": __version__,
            "commit": head["id"],
            "modified": head["modified"],
        },
        "profile": profile,
        "machine": describe_machine(),
        "packages": {**versions(), **installed(COMPARED)},
        "inputs": {
            name: sha256_of(layout.root / name)
            for name in INPUTS
            if (layout.root / name).is_file()
        },
        "scoreboard": run.ledger["scoreboard"],
        "notebooks": [
            _notebook(page, run.entries[page], failed.get(page))
            for page in layout.pages()
        ],
        "figures": [
            {"figure": far.figure, "page": name.partition("/")[0], "state": _state(far)}
            for name, far in figures.items()
        ],
        "claims": claims,
    }
    return {**document, "sentence": _sentence(document)}


def run_verify(layout: Layout, options: Any) -> int:
    """Run every notebook anew, write `_build/verify/report.md` and `.json`, print scoreboard and faults.

    The caller holds the build folder. Returns 0 where there is no fault, else 1. Apart
    from times and memory the same sources give the same report. Raises CompanionError
    before any work where ledger or registry are not as they must be.
    """
    started = time.monotonic()
    profile = options.profile
    run = run_book(layout, profile, jobs=options.jobs, force=True)
    document = _report(layout, run, profile)
    document["seconds"] = round(time.monotonic() - started, 1)
    report = _write(layout.build / "verify", document)
    print("\n".join(["", *scoreboard_lines(run.ledger["scoreboard"])]))
    for fault in document["faults"]:
        print(f"\n{fault['kind']} {fault['name']}: {fault['message']}")
    print(f"\n{document['sentence']}\nReport: {report}")
    return 1 if document["faults"] else 0
