"""Check a claim as it stands in a cell: run the kernel, write the evidence, show the formula and one line.

`claim = page.claims(seed)` at the head of a notebook; then
`claim("MBDE-L11", on=Steps, printed=lambda ...)`. What counts as evidence, and what
follows from it, is for `companion.ledger.verdicts` alone.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from companion import table_checks as reruns
from companion.check_messages import Told, told
from companion.ledger.verdicts import OURS, Counts, Evidence, Sharpness
from companion.paths import CompanionError, Layout
from companion.plain_text import plain_html
from companion.shown import Figure, Shown, display
from companion.snapshots.compare import read_table
from statements import (
    Effort,
    NoInstance,
    NotRefuted,
    Outcome,
    Unproved,
    check,
    twin,
)

if TYPE_CHECKING:
    from companion.page import Page

#: Instances looked at in floats, and decided exactly; near misses tried.
EFFORT = {"quick": (10_000, 60, 40), "paper": (40_000, 400, 120)}
ROLES = {
    "printed": "as-printed",
    "condition": "under-condition",
    "corrected": "corrected",
    "defined": "well-posed",
}
HEADS = {
    "as-printed": "As printed",
    "under-condition": "Under the condition",
    "corrected": "Corrected",
    "well-posed": "Well posed",
    "ours": "A result of this book",
    "tempting": "One might think so",
    "rerun": "Our rerun",
    "rerun-variant": "Our rerun of a variant",
    "own": "As stated here",
    "small": "Small instances are the worst ones",
}


def counted(found: Outcome, seed: int) -> Counts:
    """Return the counts of an outcome as the ledger reads them."""
    scope = "universal" if found.universal else "sizes" if found.sizes else "instances"
    worst = 0.0 if found.universal else found.worst
    return Counts(
        found.settled,
        found.decided["fails"],
        worst,
        found.arithmetic,
        found.example or {},
        seed,
        scope,
    )


class NoEvidence(CompanionError):
    """Say why what came out is no evidence."""


#: What a check raises where a statement came out otherwise than it was said to.
REFUSALS = (NotRefuted, NoInstance, Unproved)


class Claims:
    """Check claims of a page; each has a stream of random numbers of its own, from the seed and its name.

    Raises CompanionError where an outcome is undecided, or no control came out the
    other way.
    """

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.seed = seed
        self._calls: Counter[str] = Counter()

    def _given(self, name: str, share: int = 3) -> dict[str, Any]:
        """Return random numbers for a call, and how much is tried: for what is no claim, one in `share`."""
        self._calls[name] += 1
        rng = np.random.default_rng(
            [self.seed, zlib.crc32(name.encode()), self._calls[name]]
        )
        samples, exact, mutants = (
            count // share for count in EFFORT[self.page.profile]
        )
        return {"rng": rng, "effort": Effort(samples, exact, mutants)}

    def _keep(
        self,
        name: str,
        role: str,
        check: Counts,
        control: Counts,
        *words: str,
        **more: Any,
    ) -> None:
        self.page.keep(
            Evidence(name, self.page.name, role, check, control, *words, **more)
        )

    def __call__(
        self,
        *names: str,
        on: Any = None,
        control: Any = None,
        role: str = "",
        step_of: str = "",
        **given: Any,
    ) -> Shown:
        """Check a claim, or what several say, write its evidence and show what came out; see `statements.check`.

        `control` is a statement by hand that must come out the other way, where no
        changed text does. `role` is that of a proof, by default corrected, or under a
        condition, or as printed, whichever of them is given first; or that of `printed`
        where it is given alone: `role="under-condition"` for what is meant, in words
        that are not printed. The printed statement is evidence on the proof of
        `step_of` as well. `part` names what `proof` covers where it is not the whole
        statement, or the call where it has no `proof`: that counts for the part alone.
        At the keyboard what is no evidence is shown with the reason, and in a build
        raised.
        """
        name = " ".join(names)
        effort, given = self._given(name, 1), {"proof": None, "part": "", **given}
        try:
            found = check(on, **given, **effort)
            by_hand = (
                []
                if control is None
                else check(on, printed=control, given=given.get("given", ()), **effort)
            )
        except REFUSALS as error:
            return self._refuse(name, str(error), [])
        kinds = _kinds(found, role, given)
        scripts = [self._script(one, outcome) for outcome in found for one in names]
        own = name.startswith(OURS)  # what this book states is printed nowhere else
        heads = ["own" if own and kind == "as-printed" else kind for kind in kinds]
        lines = [
            Told("Proof" if item.universal else HEADS[kind], item)
            for kind, item in zip(heads, found, strict=True)
        ]
        try:
            for outcome, kind in zip(found, kinds, strict=True):
                control_of = _control(outcome, [*found, *by_hand])
                part = (
                    given["part"] if outcome.universal or given["proof"] is None else ""
                )
                self._evidence(names, kind, outcome, control_of, part)
                if step_of and outcome.role == "printed":
                    self._evidence([step_of], "proof-step", outcome, control_of, part)
        except NoEvidence as error:
            return self._refuse(
                name, str(error), lines, [path for path in scripts if path]
            )
        return display(told(lines, self.seed))

    def _evidence(
        self,
        names: Sequence[str],
        role: str,
        outcome: Outcome,
        control: tuple[Counts, str],
        part: str,
    ) -> None:
        """Write how one statement came out, for each claim that it is."""
        note = "" if outcome.universal else f"{outcome.looked:,} looked at in floats"
        check_ = counted(outcome, self.seed)
        sharp = sharpness(outcome)
        for name in names:
            more: dict[str, Any] = {
                "sizes": outcome.sizes,
                "sharpness": sharp,
                "reach": outcome.reach,
            }
            self._keep(name, role, check_, *control, note, part, **more)

    def _script(self, name: str, outcome: Outcome) -> Path | None:
        """Write the program that checks a counterexample."""
        if outcome.script is None:
            return None
        path = self.page.directory / "scripts" / f"{name}.{self._calls[name]}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outcome.script, encoding="utf-8", newline="\n")
        return path

    def _refuse(
        self,
        name: str,
        reason: str,
        lines: Sequence[Told],
        scripts: Sequence[Path] = (),
    ) -> Shown:
        """Raise what is no evidence in a build; at the keyboard show it, with its counterexample and program."""
        if self.page.in_build:
            seen = " ".join(item.outcome.line() for item in lines)
            raise CompanionError(f"{name}: {seen} {reason}".replace("  ", " "))
        words = [
            f"{name}: {reason}",
            *(f"This program checks the counterexample: `{path}`" for path in scripts),
        ]
        shown = told(lines, self.seed) if lines else Shown("", "", "")
        body = "\n\n".join([shown.markdown, *words])
        markup = "".join(
            [shown.markup, *(f"<p>{plain_html(line)}</p>" for line in words)]
        )
        return display(Shown(body, markup, "\n".join([shown.text, *words]).strip()))

    def twin(
        self, name: str, *, on: Any, printed: Any, given: Any = (), at: Any = None
    ) -> Shown:
        """Check a false near miss of a claim, which must be refuted in every build; it is no evidence on the claim."""
        try:
            found = twin(on, printed=printed, given=given, at=at, **self._given(name))
        except REFUSALS as error:
            return self._refuse(name, str(error), [])
        return display(
            told([Told(f"A false twin of {{claim}}`{name}`", found)], self.seed)
        )

    def small(
        self, name: str, because: str, *, on: Any, part: str = "", **given: Any
    ) -> Shown:
        """Check that small instances of a claim are the worst ones, where no family of it goes far.

        `because` is a sentence for the reader, which the statement says in numbers,
        such as that what is left does not fall from one size to the next. A third of
        what a claim gets is tried. In a build it raises CompanionError where the
        statement does not hold, or nothing sharper was refuted.
        """
        (found,) = check(on, **given, **self._given(name))
        line = Told(f"{HEADS['small']}: {because.rstrip('.')}", found)
        if found.verdict != "holds":
            return self._refuse(name, "small instances are not the worst ones.", [line])
        try:
            control = _control(found, [])
        except NoEvidence as error:
            return self._refuse(name, str(error), [line])
        self._keep(
            name,
            "small",
            counted(found, self.seed),
            *control,
            because,
            part,
            sizes=found.sizes,
        )
        return display(told([line], self.seed))

    def ours(self, *, on: Any, false: bool = False, **given: Any) -> Shown:
        """Check a statement of this book that has no entry; `false` is for one that might be expected and must fail.

        A third of what a claim gets is tried. In a build it raises CompanionError where
        it comes out otherwise, or nothing sharper was refuted.
        """
        (found,) = check(on, **given, **self._given("ours"))
        line = Told(HEADS["tempting" if false else "ours"], found)
        if found.verdict != ("false" if false else "holds") or not (
            false or found.controls.refuted
        ):
            return self._refuse(
                "a statement of this book", "it came out otherwise.", [line]
            )
        return display(told([line], self.seed))

    def solution(
        self,
        label: str,
        table: pd.DataFrame | None = None,
        sentence: Any = None,
        *,
        by: Sequence[str] = (),
        rows: reruns.Rows | None = None,
        swap: reruns.Rows | None = None,
        control: Any = None,
        **given: Any,
    ) -> Shown:
        """Check the answer of an exercise: a statement, as in `ours`, or a sentence about runs; see `Page.solved`."""
        if table is not None:
            asked = reruns.Asked(sentence, control, rows or {}, swap, by, None)
            return self.page.solved(label, *asked.of(table), asked.other)
        (found,) = check(given.pop("on", None), **given, **self._given(label))
        near = found.controls
        control = Counts(max(1, near.tried), len(near.refuted))
        return self.page.solved(
            label, counted(found, self.seed), control, "changed texts"
        )

    def rerun(
        self,
        name: str,
        source: Figure | pd.DataFrame,
        sentence: Any,
        *,
        by: Sequence[str] = (),
        rows: reruns.Rows | None = None,
        swap: reruns.Rows | None = None,
        control: Any = None,
        of: Any = None,
        along: str | None = "eps",
        role: str = "rerun",
        note: str = "",
        part: str = "",
    ) -> Shown:
        """Check a sentence about runs, write its evidence and return the line that a reader sees.

        `sentence` is a lambda on the rows of one run, a group of equal `by`, with the
        budget `along` as rising index. `rows` maps columns to the values that it speaks
        of, `swap` those that differ for other contenders, where it must come out the
        other way; or `control` is a near miss. `of` makes the table that it speaks of
        from that of the figure. The accepted table is asked as well; where it says
        otherwise, both are evidence. Raises CompanionError for rows or numbers that are
        not there, and where the control comes out as the sentence does.
        """
        asked = reruns.Asked(sentence, control, rows or {}, swap, by, along)
        tables = {"fresh": source if isinstance(source, pd.DataFrame) else source.table}
        if not isinstance(source, pd.DataFrame):
            path = Layout.for_page().reference(self.page.profile, source.id)
            tables = {
                **({"accepted": read_table(path)} if path.is_file() else {}),
                **tables,
            }
        found = {
            kind: asked.of(raw if of is None else of(raw))
            for kind, raw in tables.items()
        }
        agree = len({bool(one.violations) for one, _ in found.values()}) == 1
        kinds = {" and ".join(found): found["fresh"]} if agree else found
        for kind, (one, broken) in kinds.items():
            if agree and any(
                bool(a.violations) == bool(b.violations) for a, b in found.values()
            ):
                raise CompanionError(
                    f"{name}: {asked.text}: seen in {one.count}; with {asked.other}: {broken.count}. The control must "
                    "come out the other way"
                )
            told = "; ".join(
                item for item in (note, reruns.words(rows or {}), kind) if item
            )
            self._keep(name, role, one, broken, asked.other, told, part)
        counts = {kind: one.count for kind, (one, _) in found.items()}
        return display(reruns.line(HEADS[role], counts, *found["fresh"], asked.other))


def _kinds(found: Sequence[Outcome], role: str, given: Mapping[str, Any]) -> list[str]:
    """Return the role of each outcome as the ledger names it."""
    proved = next(
        key
        for key in ("corrected", "condition", "defined", "printed")
        if given.get(key) or key == "printed"
    )
    alone = given.get("condition") is None and given.get("corrected") is None
    kinds = []
    for one in found:
        if one.universal:
            kinds.append(role or ROLES[proved])
        else:
            kinds.append(role if role and alone else ROLES[one.role])
    return kinds


def sharpness(outcome: Outcome) -> Sharpness | None:
    """Return how sharp the loosest comparison of a statement is, or None where it has no inequality that was tried."""
    near = outcome.controls
    side = near.loosest
    if outcome.universal or outcome.decided["fails"]:
        return None
    if side is None:
        return (
            Sharpness(None, None, outcome.text, attained=True)
            if near.attained
            else None
        )
    return Sharpness(side.share, side.factor, side.text)


def _control(outcome: Outcome, found: Sequence[Outcome]) -> tuple[Counts, str]:
    """Return what came out the other way: changed texts, or another statement; raise NoEvidence where nothing did."""
    near = outcome.controls
    if outcome.verdict == "undecided":
        raise NoEvidence("It decides nothing.")
    if not outcome.decided["fails"]:
        kinds = [near.count(kind) for kind in ("sharper", "variant")]
        if not any(tried for _, tried in kinds):
            kinds = [near.count("definition")]
        refuted, tried = (sum(column) for column in zip(*kinds, strict=True))
        if refuted:
            return Counts(tried, refuted), f"changed texts that fail: {near.counts()}"
    for other in (item for item in found if item is not outcome and not item.universal):
        if bool(other.decided["fails"]) != bool(outcome.decided["fails"]):
            words = {
                "condition": "the same under the condition",
                "corrected": "the corrected statement",
            }
            return counted(other, 0), words.get(other.role, other.text)
    raise NoEvidence(
        "Nothing came out the other way, so that this is no evidence: give control=, a statement that does."
    )
