"""Write the report of a verification: JSON for programs, and Markdown that a reader can attach to a review."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import jsonschema

from companion import __version__
from companion.ledger.claims import Claim, count_verdicts
from companion.ledger.verdicts import VERDICTS, Evidence, Judgement
from companion.paths import Layout, json_text, write_whole
from companion.run.provenance import commit, describe_machine, installed, sha256_of, versions

__all__ = ["Fault", "compose", "schema", "sentence_of", "write_report"]

#: What the verdicts rest on, beside the code that the commit names.
INPUTS = ("data/claims.yml", "data/figures.yml", "data/results/manifest.json", "requirements.lock")
#: Libraries that notebooks check against, beside those that compute.
COMPARED = ("opendp", "dp-accounting", "joblib")


@dataclass(frozen=True)
class Fault:
    """Name one thing that is not as it must be."""

    kind: str
    name: str
    message: str


@cache
def schema() -> dict[str, Any]:
    """Return the JSON schema of the report."""
    text = resources.files("companion.run").joinpath("verify.schema.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def _lock(root: Path) -> dict[str, Any] | None:
    """Return how many pins the lock has, how many are installed, and which of those in another version."""
    path = root / "requirements.lock"
    if not path.is_file():
        return None
    pins: dict[str, set[str]] = {}
    for name, version in re.findall(r"(?m)^([A-Za-z0-9._-]+)==([^\s;]+)", path.read_text(encoding="utf-8")):
        pins.setdefault(name, set()).add(version)
    there = installed(pins)
    other = {name: version for name, version in there.items() if not {version, version.split("+")[0]} & pins[name]}
    return {"pins": len(pins), "installed": len(there), "differing": dict(sorted(other.items()))} if pins else None


def _claim(claim: Claim, judgement: Judgement, evidence: Sequence[Evidence], wrong: set[str]) -> dict[str, Any]:
    return {
        "id": claim.id,
        "kind": claim.kind,
        "title": str(claim.entry["title"]),
        "notebook": claim.notebook,
        "expected": claim.expected,
        "verdict": judgement.verdict,
        "as_expected": judgement.verdict == claim.expected and claim.id not in wrong,
        "grade": judgement.grade,
        "proof_gap": judgement.proof_gap,
        "corrected": judgement.corrected,
        "reason": judgement.reason,
        "evidence": [item.to_record() for item in evidence if item.claim == claim.id],
    }


def sentence_of(document: Mapping[str, Any]) -> str:
    """Return the overall sentence of a report, from what it lists."""
    faults, claims = document["faults"], document["claims"]
    if faults:
        kinds = {kind: sorted({fault["name"] for fault in faults if fault["kind"] == kind}) for kind in _PLURAL}
        told = [f"{len(names)} {_PLURAL[kind]} ({', '.join(names[:10])})" for kind, names in kinds.items() if names]
        return f"NOT VERIFIED: {'; '.join(told)}."
    states = [figure["state"] for figure in document["figures"]]
    verdicts = [claim["verdict"] for claim in claims]
    aside = {"outside": "outside the evidence of this book", "not-yet-checked": "not yet checked"}
    counts = {text: verdicts.count(name) for name, text in aside.items()}
    rest = "".join(f"; {count} more claims are {text}" for text, count in counts.items() if count)
    judged = len(claims) - sum(counts.values())
    same = states.count("identical")
    return (
        f"VERIFIED: each of {judged} claims has the verdict that the ledger prints, "
        f"computed from {sum(len(claim['evidence']) for claim in claims)} tests, each with a control, in "
        f"{len(document['notebooks'])} notebooks that were all run anew; the data of {len(states)} figures were "
        f"computed again and agree with the accepted ones ({same} to the last digit){rest}."
    )


_PLURAL = {
    "notebook": "notebook(s) that failed",
    "claim": "claim(s) not as the ledger says",
    "figure": "figure(s) with other data than the accepted ones",
    "exercise": "notebook(s) with exercises not in order",
    "accepted data": "file(s) of accepted data not accounted for",
}


def compose(
    layout: Layout, profile: str, claims: Sequence[Claim], judgements: Mapping[str, Judgement],
    evidence: Sequence[Evidence], notebooks: Sequence[Mapping[str, Any]], figures: Sequence[Mapping[str, str]],
    faults: Sequence[Fault],
) -> dict[str, Any]:  # fmt: skip
    """Return the report as JSON can hold it; apart from times and memory the same run gives the same report."""
    wrong = {fault.name for fault in faults if fault.kind == "claim"}
    document = {
        "report": "verification 2",
        "passed": not faults,
        "faults": [asdict(fault) for fault in faults],
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "book": {"version": __version__, "commit": (head := commit(layout.root))["id"], "modified": head["modified"]},
        "profile": profile,
        "machine": describe_machine(),
        "packages": {**versions(), **installed(COMPARED)},
        "lock": _lock(layout.root),
        "inputs": {name: sha256_of(layout.root / name) for name in INPUTS if (layout.root / name).is_file()},
        "scoreboard": count_verdicts(judgements).counts,
        "notebooks": list(notebooks),
        "figures": list(figures),
        "claims": [_claim(claim, judgements[claim.id], evidence, wrong) for claim in claims],
    }
    return {**document, "sentence": sentence_of(document)}


def _without_paths(layout: Layout, value: Any) -> Any:
    """Return the report without the paths of this machine, which tracebacks hold."""
    if isinstance(value, str):
        places = {str(layout.root): "<book>", sys.prefix: "<python>", sys.base_prefix: "<python>"}
        for path in sorted(places, key=len, reverse=True):
            value = value.replace(path, places[path])
        return value
    if isinstance(value, list):
        return [_without_paths(layout, item) for item in value]
    if isinstance(value, dict):
        return {key: _without_paths(layout, item) for key, item in value.items()}
    return value


def _cell(value: object) -> str:
    """Return a value as a cell of a table."""
    return "–" if value is None else " ".join(str(value).replace("|", "\\|").split())


def _markdown(report: Mapping[str, Any]) -> str:
    """Return the text of a report: one screen of summary, then what it rests on."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(cell=_cell, count="{:,}".format, verdict=VERDICTS.__getitem__)
    source = resources.files("companion.run").joinpath("verify.md.j2").read_text(encoding="utf-8")
    return environment.from_string(source).render(report).rstrip() + "\n"


def write_report(layout: Layout, folder: Path, document: Mapping[str, Any]) -> Path:
    """Write report.json and report.md into the folder and return the latter, each there whole or not at all."""
    clean = _without_paths(layout, dict(document))
    jsonschema.Draft202012Validator(schema()).validate(clean)
    write_whole(folder / "report.json", json_text(clean))
    write_whole(folder / "report.md", _markdown(clean))
    return folder / "report.md"
