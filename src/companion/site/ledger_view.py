"""Give the computed ledger that a run left beside the pages, and the words for what it says."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

from companion.ledger.claims import BEYOND, NAMED, false_grounds
from companion.ledger.evidence import Sharpness
from companion.ledger.numbering import mentions
from companion.paths import ROOT_VARIABLE
from companion.site.nodes import grade_of

#: The order in which the texts are shown; others follow by name.
ORDER = ("v1", "v2", "v3", "lecture", "bootstrapping")
#: A section after a number in a place: it only says where the number stands.
_SECTION = re.compile(r"(?<=.), section \d+(\.\d+)?(?=;|$)")
_MARKS = re.compile(r"([\\`*_{}\[\]<>$#|~^:!&])")

#: The computed ledger, at the root of the sources.
CLAIMS = "claims.json"

#: Verdicts on sentences about experiments that were run again.
RERUN = ("reproduced", "variant-only", "not-reproduced")


def anchor(claim: str) -> str:
    """Return the stable address of a claim within a page."""
    return f"claim-{claim.lower()}"


@cache
def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def load_json(env: BuildEnvironment, name: str) -> Any:
    """Return a JSON document under the source folder; raise OSError where there is no such file."""
    return _read_json(Path(env.srcdir) / name)


def root_of(env: BuildEnvironment) -> Path:
    """Return the root of the book, which the build names; else the folder of the sources."""
    return Path(os.environ.get(ROOT_VARIABLE) or env.srcdir)


class Claims:
    """Give the claims of the computed ledger by id."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.all: list[dict[str, Any]] = document["claims"]
        given: dict[str, dict[str, Any]] = document["sources"]
        self.sources = {
            name: given[name]
            for name in sorted(given, key=lambda name: (*ORDER, name).index(name))
        }
        self.five = [claim for claim in self.all if not claim["id"].startswith(BEYOND)]
        self.counts: dict[str, int] = document["scoreboard"]
        self.by_id = {str(claim["id"]): claim for claim in self.all}

    @property
    def pages(self) -> list[str]:
        """The names of all pages that check a claim, or will, in order of first mention."""
        return list(
            dict.fromkeys(claim["notebook"] for claim in self.all if claim["notebook"])
        )

    def source_name(self, source: str) -> str:
        """Return the short name of a source text."""
        return str(self.sources.get(source, {}).get("short", source))

    def source_title(self, source: str) -> str:
        """Return the name of a text as a heading, with its year."""
        name = self.source_name(source)
        year = self.sources[source].get("year")
        return f"{name[:1].upper()}{name[1:]}" + (f" ({year})" if year else "")

    def first(self, source: str) -> list[dict[str, Any]]:
        """Return the claims that a text states first."""
        return [claim for claim in self.all if claim["places"][0]["source"] == source]

    def groups(self, claim: dict[str, Any]) -> str:
        """Return the classes of a claim: its verdict, and the groups under which the ledger finds it."""
        verdict = str(claim["verdict"])
        mended = ["corrected"] if verdict == "false" and claim["corrected"] else []
        return " ".join(
            f"mf-is-{name}"
            for name in [verdict, *mended, *(["rerun"] if verdict in RERUN else [])]
        )

    def row_classes(self, claim: dict[str, Any]) -> str:
        """Return the classes of a row of the ledger, by which it is filtered: groups, grade and kind."""
        kinds = [claim["kind"], *(["named"] if claim["kind"] in NAMED else [])]
        groups = self.groups(claim) if claim in self.five else "mf-is-beyond"
        return " ".join(
            [
                groups,
                f"mf-grade-{grade_of(claim)}",
                *(f"mf-kind-{kind}" for kind in kinds),
            ]
        )

    def count(self, verdict: str = "", grade: str = "", kind: str = "") -> int:
        """Count the claims of the five texts with a verdict, a grade and a kind, or a named kind; all by default."""
        own = self.five
        if kind:
            kinds = NAMED if kind == "named" else (kind,)
            own = [claim for claim in own if claim["kind"] in kinds]
        return sum(
            verdict in ("", claim["verdict"]) and grade in ("", grade_of(claim))
            for claim in own
        )

    def kinds(self) -> list[str]:
        """Return the kinds of claims of the five texts: those with a name, then the others, the most frequent first."""
        others = {claim["kind"] for claim in self.five}.difference(NAMED)
        named = [kind for kind in NAMED if self.count(kind=kind)]
        return named + sorted(others, key=lambda kind: (-self.count(kind=kind), kind))

    def by_sharpness(self, *, sharp: bool) -> list[dict[str, Any]]:
        """Return the claims with an inequality that is sharp, or that is not shown to be, the loosest first."""
        known = [
            (Sharpness.from_record(claim["sharpness"]), claim)
            for claim in self.all
            if "sharpness" in claim
        ]
        known.sort(key=lambda pair: pair[0].rank)
        return [claim for found, claim in known if found.sharp == sharp]

    def counterparts(self, *given: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the claims of other texts that stand in the place of those given."""
        ids = {claim["id"] for claim in given}
        named = {other for claim in given for other in claim.get("counterparts", [])}
        return [
            claim
            for claim in self.all
            if claim["id"] in named or ids & set(claim.get("counterparts", []))
        ]

    def users(self, name: str) -> list[dict[str, Any]]:
        """Return the claims whose printed proof rests on this one."""
        return [claim for claim in self.all if name in claim.get("uses", [])]

    def broken(self, claim: dict[str, Any]) -> list[str]:
        """Return the false claims that the printed proof of a true one rests on."""
        false = {item["id"] for item in self.all if item["verdict"] == "false"}
        return false_grounds(claim.get("uses", ()), claim["verdict"], false)

    def short(self, source: str) -> str:
        """Return what stands before a place where room is scarce: the version, for one of several texts."""
        own = self.sources.get(source, {}).get("series")
        alone = sum(entry.get("series") == own for entry in self.sources.values()) == 1
        return "" if own is None or alone else f"{source} "

    @staticmethod
    def brief(at: str) -> str:
        """Return a place without the section that a number stands in."""
        return _SECTION.sub("", at)

    def place(self, source: str, at: str) -> str:
        """Return a place as MyST, its numbers as links where the text is one of a series."""
        if "series" not in self.sources.get(source, {}):
            return md(at)
        parts = []
        done = 0
        shown = [
            (item.span, item.anchor)
            for item in mentions(at)
            if item.span and not item.only_where
        ]
        for (start, end), address in sorted(shown):
            parts.append(
                f"{md(at[done:start])}[{md(at[start:end])}](mf:number:{source}-{address})"
            )
            done = end
        return "".join([*parts, md(at[done:])])


def md(text: object) -> str:
    """Return a text with nothing left that MyST reads as markup."""
    return _MARKS.sub(r"\\\1", str(text))


@cache
def _claims(path: Path) -> Claims:
    return Claims(_read_json(path))


def load_claims(env: BuildEnvironment) -> Claims:
    """Return the computed ledger; raise OSError where it was not computed."""
    return _claims(Path(env.srcdir) / CLAIMS)
