"""Print what the run supplies of the reproducibility statement, where to report an error, and what was corrected."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.environment import BuildEnvironment

from companion.paths import ROOT_VARIABLE
from companion.profiles import PROFILES
from companion.site.cards import SEEN_INSTEAD, ClaimsDirective, correction_label
from companion.site.ledger_page import source_title
from companion.site.links import Claims, printed_at, reference, to_claim, to_page
from companion.site.nodes import LABELS, Nodes, badge, container, labelled, paragraph, parse, table

__all__ = ["Statement", "root_of"]


#: The parameter of a notebook from which all that it draws follows.
_SEED = re.compile(r"(?m)^seed = (\d+)$")


def _number(count: int) -> str:
    return f"{count:,}"


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(sorted({str(value) for value in values}))


class Statement(ClaimsDirective):
    """Print one part: {statement} claims, pages, unseen, evidence, machine, seeds, costs or map."""

    required_arguments = 1

    def build(self, claims: Claims) -> Nodes:
        """Return the part, or a report where it is unknown."""
        name = self.arguments[0].strip()
        parts = {
            "claims": self._claims, "pages": self._pages, "unseen": self._unseen, "evidence": self._evidence,
            "machine": self._machine, "seeds": self._seeds, "costs": self._costs, "map": self._map,
        }  # fmt: skip
        if name not in parts:
            return self.warn(f"unknown part {name!r} of the statement; known: {', '.join(parts)}")
        try:
            return parts[name](claims)
        except (OSError, ValueError, KeyError, TypeError) as error:
            return self.warn(f"the part {name} of the statement cannot be made: {error!r}")

    def _claims(self, claims: Claims) -> Nodes:
        """Return how many claims of each text have which verdict; a claim counts for the text that states it first."""
        own = {
            source: [claim["verdict"] for claim in claims.five if claim["places"][0]["source"] == source]
            for source in claims.sources
        }
        own = {source: verdicts for source, verdicts in own.items() if verdicts}
        rows: list[list[Any]] = []
        for verdict in (verdict for verdict in LABELS if claims.counts.get(verdict)):
            counts = [_number(verdicts.count(verdict)) for verdicts in own.values()]
            rows.append([LABELS[verdict][1], _number(claims.counts[verdict]), *counts])
        rows.append(["All", _number(len(claims.five)), *(_number(len(verdicts)) for verdicts in own.values())])
        return [table(("Verdict", "All", *(source_title(claims, source) for source in own)), rows)]

    def _pages(self, claims: Claims) -> Nodes:
        """Return for each page what it decides, and what it cost at each profile."""
        costs = self._measured()
        rows: list[list[Any]] = []
        for page in claims.pages:
            own = [claim for claim in claims.all if claim["notebook"] == page]
            evidence = [item for claim in own for item in claim["evidence"]]
            place = next((claim["page"] for claim in own if claim["page"]), None)
            link: Any = nodes.Text(page)
            if place:
                link = to_page(place, "", self.env.docname, link)
            told = []
            for profile in PROFILES:
                cost = costs.get(page, {}).get(profile)
                told.append(f"{_time(cost['seconds'])}, {cost['peak_mib']} MiB" if cost else "not measured")
            instances = sum(item["instances"] for item in evidence)
            rows.append([link, _number(len(own)), _number(len(evidence)), _number(instances), *told])
        heads = ("Page", "Claims", "Tests", "Instances", *(f"Profile {profile}" for profile in PROFILES))
        return [table(heads, rows)]

    def _unseen(self, claims: Claims) -> Nodes:
        """Return what our runs did not show, or only for a variant, each with what they showed."""
        blocks: Nodes = []
        for verdict in reversed(SEEN_INSTEAD):
            own = [claim for claim in claims.all if claim["verdict"] == verdict]
            count = paragraph(badge(verdict), f": {len(own)} sentence{'s' * (len(own) != 1)}.")
            blocks.append(count)
            blocks += [self._sentence(claims, claim) for claim in own]
        return blocks

    def _sentence(self, claims: Claims, claim: dict[str, Any]) -> Any:
        docname, name = self.env.docname, str(claim["id"])
        strong = nodes.strong(claim["title"], claim["title"])
        head = paragraph(reference(name, docname, nodes.literal(name, name)), " ", strong, classes=["mf-claim-head"])
        printed = paragraph("Printed at: ", *printed_at(claims, claim, docname), ".", classes=["mf-places"])
        shown = labelled(correction_label(claim), parse(self, claim["correction"]), "mf-correction")
        more = to_claim(claim, docname, nodes.inline("", "Evidence and page"))
        closing = paragraph(more, ".", classes=["mf-places"])
        return container(head, shown, printed, closing, classes=["mf-claim", f"mf-is-{claim['verdict']}"])

    def _evidence(self, claims: Claims) -> Nodes:
        """Return how many tests there are of each arithmetic, and how many of them drew at random."""
        every = [item for claim in claims.all for item in claim["evidence"]]
        rows = []
        for arithmetic in ("exact", "certified", "float"):
            own = [item for item in every if item["arithmetic"] == arithmetic]
            whole = sum(item["scope"] == "universal" for item in own)
            instances = sum(item["instances"] for item in own)
            rows.append([arithmetic, _number(len(own)), _number(whole), _number(instances)])
        heads = ("Arithmetic", "Tests", "Of these, cover every instance", "Instances tried")
        words = f"{_number(len(every))} tests in all, each with a control that came out the other way."
        return [table(heads, rows), paragraph(words)]

    def _records(self) -> list[dict[str, Any]]:
        """Return how each figure of the book was made."""
        folder = Path(self.env.srcdir) / "figures"
        return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*/*.json"))]

    def _machine(self, claims: Claims) -> Nodes:
        """Return on what kinds of machine, and with which versions, the figures of this copy were made."""
        records = self._records()
        if not records:
            return [paragraph("This copy holds no figures, and so no record of a machine.")]
        kinds = [f"{item['machine']['cpus']} processors, {item['machine']['architecture']}, {item['machine']['system']}"
                 for item in records]  # fmt: skip
        names = dict.fromkeys(name for item in records for name in item["versions"])
        rows: list[list[Any]] = [["Machine", _joined(kinds)], ["Profile", _joined(item["profile"] for item in records)]]
        for name in names:
            rows.append([name, _joined(item["versions"][name] for item in records if name in item["versions"])])
        return [table(("What", "As recorded with the figures of this copy"), rows)]

    def _seeds(self, claims: Claims) -> Nodes:
        """Return how many notebooks and tests have a seed, and which seeds they are."""
        sources = sorted((root_of(self.env) / "notebooks").glob("*.md"))
        texts = [path.read_text(encoding="utf-8") for path in sources]
        pages = [match[1] for text in texts if (match := _SEED.search(text))]
        every = [item for claim in claims.all for item in claim["evidence"]]
        tests = [item["seed"] for item in every if item.get("seed") is not None]
        words = f"{_number(len(pages))} of {_number(len(sources))} notebooks draw at random and have the parameter seed"
        words += f" ({_joined(pages)})" if pages else ""
        words += f", and {_number(len(tests))} of {_number(len(every))} tests name one beside their evidence"
        words += f" ({_joined(tests)})" if tests else ""
        return [paragraph(words + ".")]

    def _map(self, claims: Claims) -> Nodes:
        """Return what each package under src is for, by its docstring, with its modules, as the tree has them."""
        source = root_of(self.env) / "src"
        rows: list[list[Any]] = []
        for path in sorted(source.glob("*/**/__init__.py")):
            said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            name = path.parent.relative_to(source).as_posix()
            modules = sorted(item.stem for item in path.parent.glob("*.py") if not item.stem.startswith("_"))
            rows.append([nodes.literal(name, name), parse(self, said.split("\n\n")[0]), ", ".join(modules)])
        return [table(("Folder of src", "What it is for", "Modules"), rows)]

    def _measured(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return seconds and memory by page and profile as last measured, nothing where they were not."""
        path = root_of(self.env) / "data" / "results" / "costs.json"
        if not path.is_file():
            return {}
        found: dict[str, dict[str, dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))["pages"]
        return found

    def _costs(self, claims: Claims) -> Nodes:
        """Return for each profile the sum of the times, the longest page and the most memory."""
        costs = self._measured()
        rows = []
        for profile in PROFILES:
            own = {page: cost[profile] for page, cost in costs.items() if profile in cost}
            if not own:
                rows.append([profile, "0", *["not measured"] * 3])
                continue
            longest = max(own, key=lambda page: (own[page]["seconds"], page))
            largest = max(own, key=lambda page: (own[page]["peak_mib"], page))
            rows.append(
                [
                    profile,
                    _number(len(own)),
                    _time(sum(cost["seconds"] for cost in own.values())),
                    f"{_time(own[longest]['seconds'])} ({longest})",
                    f"{own[largest]['peak_mib']} MiB ({largest})",
                ]
            )
        return [table(("Profile", "Pages measured", "Time, one after the other", "Longest", "Most memory"), rows)]


def root_of(env: BuildEnvironment) -> Path:
    """Return the root of the book, which the build names; else the folder of the sources."""
    return Path(os.environ.get(ROOT_VARIABLE) or env.srcdir)
