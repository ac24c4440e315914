"""Give the computed ledger that a run left beside the pages, and words for it."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

from companion.ledger.claims import BEYOND, NAMED, false_grounds
from companion.ledger.evidence import Sharpness
from companion.ledger.numbering import mentions
from companion.ledger.records import ClaimRecord, LedgerRecord
from companion.paths import ROOT_VARIABLE, read_json
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


_read_json = cache(read_json)


def load_json(env: BuildEnvironment, name: str) -> Any:
    """Return a JSON document under the source folder; raise OSError without it."""
    return _read_json(Path(env.srcdir) / name)


def root_of(env: BuildEnvironment) -> Path:
    """Return the root of the book, which the build names; else the sources' folder."""
    return Path(os.environ.get(ROOT_VARIABLE) or env.srcdir)


class Claims:
    """Give the claims of the computed ledger by id."""

    def __init__(self, document: LedgerRecord) -> None:
        self.all = document["claims"]
        names = sorted(document["sources"], key=lambda name: (*ORDER, name).index(name))
        self.sources = {name: document["sources"][name] for name in names}
        self.five = [claim for claim in self.all if not claim["id"].startswith(BEYOND)]
        self.counts = document["scoreboard"]
        self.by_id = {claim["id"]: claim for claim in self.all}

    @property
    def pages(self) -> list[str]:
        """The pages that check a claim, or will, in order of first mention."""
        names = [claim["notebook"] for claim in self.all]
        return list(dict.fromkeys(name for name in names if name))

    def source_name(self, source: str) -> str:
        """Return the short name of a source text."""
        return self.sources[source]["short"]

    def source_title(self, source: str) -> str:
        """Return the name of a text as a heading, with its year."""
        name = self.source_name(source)
        title = f"{name[:1].upper()}{name[1:]}"
        year = self.sources[source].get("year")
        return f"{title} ({year})" if year else title

    def first(self, source: str) -> list[ClaimRecord]:
        """Return the claims that a text states first."""
        return [claim for claim in self.all if claim["places"][0]["source"] == source]

    def groups(self, claim: ClaimRecord) -> str:
        """Return the classes of a claim: its verdict, and its groups in the ledger."""
        verdict = claim["verdict"]
        names = [verdict]
        if verdict == "false" and claim["corrected"]:
            names.append("corrected")
        if verdict in RERUN:
            names.append("rerun")
        return " ".join(f"mf-is-{name}" for name in names)

    def row_classes(self, claim: ClaimRecord) -> str:
        """Return the classes of a row of the ledger, by which it is filtered.

        They are its groups, its grade and its kind.
        """
        kind = claim["kind"]
        classes = [f"mf-grade-{grade_of(claim)}", f"mf-kind-{kind}"]
        if kind in NAMED:
            classes.append("mf-kind-named")
        if claim not in self.five:
            return " ".join(["mf-is-beyond", *classes])
        return " ".join([self.groups(claim), *classes])

    def count(self, verdict: str = "", grade: str = "", kind: str = "") -> int:
        """Count claims of the five texts: those of a verdict, a grade and a kind.

        All are counted by default; the kind `named` is all kinds with a name.
        """
        kinds = NAMED if kind == "named" else (kind,)
        return sum(
            (not kind or claim["kind"] in kinds)
            and verdict in ("", claim["verdict"])
            and grade in ("", grade_of(claim))
            for claim in self.five
        )

    def kinds(self) -> list[str]:
        """Return the kinds of claims of the five texts.

        Those with a name come first, then the others, the most frequent first.
        """
        others = {claim["kind"] for claim in self.five}.difference(NAMED)
        named = [kind for kind in NAMED if self.count(kind=kind)]
        return named + sorted(others, key=lambda kind: (-self.count(kind=kind), kind))

    def by_sharpness(self, *, sharp: bool) -> list[ClaimRecord]:
        """Return the claims with an inequality that is sharp, the loosest first.

        With `sharp` false, return those whose inequality is not shown to be sharp.
        """
        pairs = [
            (Sharpness(**claim["sharpness"]), claim)
            for claim in self.all
            if "sharpness" in claim
        ]
        pairs.sort(key=lambda pair: pair[0].rank)
        return [claim for sharpness, claim in pairs if sharpness.sharp == sharp]

    def counterparts(self, *claims: ClaimRecord) -> list[ClaimRecord]:
        """Return the claims of other texts that stand in the place of these."""
        ids = {claim["id"] for claim in claims}
        named: set[str] = set()
        for claim in claims:
            named.update(claim.get("counterparts", []))
        return [
            claim
            for claim in self.all
            if claim["id"] in named or ids & set(claim.get("counterparts", []))
        ]

    def users(self, name: str) -> list[ClaimRecord]:
        """Return the claims whose printed proof rests on this one."""
        return [claim for claim in self.all if name in claim.get("uses", [])]

    def broken(self, claim: ClaimRecord) -> list[str]:
        """Return the false claims that the printed proof of a true one rests on."""
        false = {item["id"] for item in self.all if item["verdict"] == "false"}
        return false_grounds(claim.get("uses", ()), claim["verdict"], false)

    def short(self, source: str) -> str:
        """Return what stands before a place where room is scarce.

        It is the version, for one of several texts.
        """
        series = self._series(source)
        versions = [self._series(name) for name in self.sources].count(series)
        if series is None or versions == 1:
            return ""
        return f"{source} "

    def _series(self, source: str) -> str | None:
        return self.sources[source].get("series")

    @staticmethod
    def brief(at: str) -> str:
        """Return a place without the section that a number stands in."""
        return _SECTION.sub("", at)

    def place(self, source: str, at: str) -> str:
        """Return a place as MyST; numbers of a text of a series are links."""
        if self._series(source) is None:
            return md(at)
        spans = [
            (item.span, item.anchor)
            for item in mentions(at)
            if item.span and not item.only_where
        ]
        parts = []
        done = 0
        for (start, end), address in sorted(spans):
            parts.append(md(at[done:start]))
            parts.append(f"[{md(at[start:end])}](mf:number:{source}-{address})")
            done = end
        return "".join([*parts, md(at[done:])])


def md(text: object) -> str:
    """Return a text with nothing left that MyST reads as markup."""
    return _MARKS.sub(r"\\\1", str(text))


@cache
def load_claims(env: BuildEnvironment) -> Claims:
    """Return the computed ledger; raise OSError where it was not computed."""
    return Claims(load_json(env, CLAIMS))
