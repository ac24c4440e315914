"""Check a claim as it stands in a cell, write the evidence, and show one line.

`claim = page.claims(seed)` at the head of a notebook; then
`claim("MBDE-L11", on=Steps, printed=lambda ...)`. What counts as evidence, and what
follows from it, is for `companion.ledger.verdicts` alone.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np
import pandas as pd

from companion.check_messages import CheckedStatement, message, plain_line
from companion.ledger.evidence import Counts, Evidence, Sharpness
from companion.ledger.verdicts import OURS
from companion.paths import CompanionError, Layout, write_whole
from companion.plain_text import plain_html
from companion.shown import Figure, Shown, display
from companion.snapshots.compare import read_table
from companion.table_checks import Question, Rows, line
from statements import (
    Effort,
    NoInstance,
    NotRefuted,
    Outcome,
    Space,
    Unproved,
    check,
    twin,
)
from statements.checking import Several
from statements.space import Text

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


def counted(outcome: Outcome, seed: int) -> Counts:
    """Return the counts of an outcome as the ledger reads them."""
    scope = "instances"
    if outcome.universal:
        scope = "universal"
    elif outcome.sizes:
        scope = "sizes"
    return Counts(
        outcome.settled,
        outcome.decided["fails"],
        0.0 if outcome.universal else outcome.worst,
        outcome.arithmetic,
        outcome.example or {},
        seed,
        scope,
    )


class NoEvidence(CompanionError):
    """Say why what came out is no evidence."""


#: A space of instances, or several: those that follow reach further.
Spaces = type[Space] | Several[type[Space]]


class Texts(TypedDict, total=False):
    """What `statements.check` takes beside the space: texts, and what they are of."""

    printed: Text | None
    given: Text | Several[Text]
    condition: Text | Several[Text] | None
    corrected: Text | None
    defined: Text | None
    proof: Text | None
    part: str
    at: Text | None
    solve: int


#: What a check raises where a statement came out otherwise than it was said to.
REFUSALS = (NotRefuted, NoInstance, Unproved)


class Draws(TypedDict):
    """What a check is tried on: its random numbers, and how much of each kind."""

    rng: np.random.Generator
    effort: Effort


#: How what came out the other way did, and what it is.
Control = tuple[Counts, str]

#: For what is no claim, one in so many instances is tried.
SHARE = 3


class Claims:
    """Check claims of a page.

    Each has a stream of random numbers of its own, from the seed and its name. Raises
    CompanionError where an outcome is undecided, or no control came out the other way.
    """

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.seed = seed
        self._calls: Counter[str] = Counter()

    def _draws(self, name: str, share: int = SHARE) -> Draws:
        """Return what a call is tried on: one in `share` of what a claim gets."""
        self._calls[name] += 1
        rng = np.random.default_rng(
            [self.seed, zlib.crc32(name.encode()), self._calls[name]]
        )
        samples, exact, mutants = (
            count // share for count in EFFORT[self.page.profile]
        )
        return {"rng": rng, "effort": Effort(samples, exact, mutants)}

    def __call__(
        self,
        *names: str,
        on: Spaces | None = None,
        control: Text | None = None,
        role: str = "",
        step_of: str = "",
        **texts: Unpack[Texts],
    ) -> Shown:
        """Check a claim, or what several say, and show what came out.

        The evidence is written; see `statements.check` for the other arguments.

        | given                 | role of the evidence                              |
        | :-------------------- | :------------------------------------------------ |
        | `printed` alone       | as printed, or `role` where there is one          |
        | `printed`, `condition`| as printed, and under the condition               |
        | `corrected`           | corrected                                         |
        | `proof`               | `role`; else that of the first of corrected,      |
        |                       | condition, defined, printed that is given         |

        `role="under-condition"` is for what is meant, in words that are not printed.
        `control` is a statement by hand that must come out the other way, where no
        changed text does. The printed statement is evidence on the proof of `step_of`
        as well. `part` names what `proof` covers where it is not the whole statement,
        or the call where it has no `proof`: that counts for the part alone. At the
        keyboard what is no evidence is shown with the reason, and in a build raised.
        """
        name = " ".join(names)
        draws = self._draws(name, 1)
        by_hand: list[Outcome] = []
        try:
            outcomes = check(on, **texts, **draws)
            if control is not None:
                hypotheses = texts.get("given", ())
                by_hand = check(on, printed=control, given=hypotheses, **draws)
        except REFUSALS as error:
            return self._refuse(name, str(error), [])
        scripts = self._scripts(names, outcomes)
        kinds = [_kind(outcome, role, texts) for outcome in outcomes]
        lines = [
            CheckedStatement(_head(name, kind, outcome), outcome)
            for kind, outcome in zip(kinds, outcomes, strict=True)
        ]
        try:
            for outcome, kind in zip(outcomes, kinds, strict=True):
                against = _control(outcome, outcomes, by_hand)
                evidence = self._evidence(kind, outcome, against, _part(outcome, texts))
                for claim in names:
                    self.page.keep(replace(evidence, claim=claim))
                if step_of and outcome.role == "printed":
                    self.page.keep(replace(evidence, claim=step_of, role="proof-step"))
        except NoEvidence as error:
            return self._refuse(name, str(error), lines, scripts)
        return display(message(lines, self.seed))

    def _evidence(
        self,
        role: str,
        outcome: Outcome,
        control: Control,
        part: str,
    ) -> Evidence:
        """Return how one statement came out, as evidence on a claim yet to be named."""
        note = f"{outcome.looked:,} looked at in floats"
        return Evidence(
            "",
            self.page.name,
            role,
            counted(outcome, self.seed),
            *control,
            "" if outcome.universal else note,
            part,
            sizes=outcome.sizes,
            sharpness=sharpness(outcome),
            reach=outcome.reach,
        )

    def _scripts(self, names: Sequence[str], outcomes: Sequence[Outcome]) -> list[Path]:
        """Write the programs that check counterexamples, one for each claim."""
        paths = []
        for outcome in outcomes:
            if outcome.script is None:
                continue
            for name in names:
                file = f"{name}.{self._calls[name]}.py"
                path = self.page.directory / "scripts" / file
                write_whole(path, outcome.script)
                paths.append(path)
        return paths

    def _refuse(
        self,
        name: str,
        reason: str,
        lines: Sequence[CheckedStatement],
        scripts: Sequence[Path] = (),
    ) -> Shown:
        """Raise what is no evidence in a build.

        At the keyboard show it, with its counterexample and program.
        """
        if self.page.in_build:
            raise CompanionError(
                f"{name}: {' '.join([*map(plain_line, lines), reason])}"
            )
        words = [
            f"{name}: {reason}",
            *(f"This program checks the counterexample: `{path}`" for path in scripts),
        ]
        shown = message(lines, self.seed) if lines else Shown("", "", "")
        paragraphs = [f"<p>{plain_html(line)}</p>" for line in words]
        return display(
            Shown(
                "\n\n".join([shown.markdown, *words]),
                "".join([shown.markup, *paragraphs]),
                "\n".join([shown.text, *words]).strip(),
            )
        )

    def twin(
        self,
        name: str,
        *,
        on: Spaces,
        printed: Text,
        given: Text | Several[Text] = (),
        at: Text | None = None,
    ) -> Shown:
        """Check a false near miss of a claim, which must be refuted in every build.

        It is no evidence on the claim.
        """
        try:
            outcome = twin(on, printed=printed, given=given, at=at, **self._draws(name))
        except REFUSALS as error:
            return self._refuse(name, str(error), [])
        line = CheckedStatement(f"A false twin of {{claim}}`{name}`", outcome)
        return display(message([line], self.seed))

    def small(
        self,
        name: str,
        because: str,
        *,
        on: Spaces,
        **texts: Unpack[Texts],
    ) -> Shown:
        """Check that small instances of a claim are the worst ones.

        It is for a claim of which no family goes far. `because` is a sentence for the
        reader, which the statement says in numbers, such as that what is left does not
        fall from one size to the next. A third of what a claim gets is tried. In a
        build it raises CompanionError where the statement does not hold, or nothing
        sharper was refuted.
        """
        part = texts.pop("part", "")
        (outcome,) = check(on, **texts, **self._draws(name))
        line = CheckedStatement(f"{HEADS['small']}: {because.rstrip('.')}", outcome)
        if outcome.verdict != "holds":
            return self._refuse(name, "small instances are not the worst ones.", [line])
        try:
            evidence = self._evidence("small", outcome, _control(outcome, []), part)
        except NoEvidence as error:
            return self._refuse(name, str(error), [line])
        self.page.keep(
            replace(evidence, claim=name, note=because, sharpness=None, reach={})
        )
        return display(message([line], self.seed))

    def ours(
        self, *, on: Spaces | None, false: bool = False, **texts: Unpack[Texts]
    ) -> Shown:
        """Check a statement of this book that has no entry.

        `false` is for one that might be expected and must fail. A third of what a claim
        gets is tried. In a build it raises CompanionError where it comes out otherwise,
        or nothing sharper was refuted.
        """
        (outcome,) = check(on, **texts, **self._draws("ours"))
        head = "ours"
        expected = "holds"
        if false:
            head = "tempting"
            expected = "false"
        reason = ""
        if outcome.verdict != expected:
            reason = "It came out otherwise."
        elif not (false or outcome.controls.refuted):
            reason = "No changed text of it fails: state something sharper."
        line = CheckedStatement(HEADS[head], outcome)
        if reason:
            return self._refuse("a statement of this book", reason, [line])
        return display(message([line], self.seed))

    def solution(
        self,
        label: str,
        table: pd.DataFrame | None = None,
        sentence: Text | None = None,
        *,
        by: Sequence[str] = (),
        rows: Rows | None = None,
        swap: Rows | None = None,
        control: Text | None = None,
        on: Spaces | None = None,
        **texts: Unpack[Texts],
    ) -> Shown:
        """Check the answer of an exercise; see `Page.solved`.

        It is a statement, as in `ours`, or a sentence about runs, as in `rerun`.
        """
        if table is not None:
            question = Question(sentence, control, rows, swap, by, None)
            return self.page.solved(label, *question.of(table), question.other)
        (outcome,) = check(on, **texts, **self._draws(label))
        near = outcome.controls
        refuted = Counts(max(1, near.tried), len(near.refuted))
        return self.page.solved(
            label, counted(outcome, self.seed), refuted, "changed texts"
        )

    def rerun(
        self,
        name: str,
        source: Figure | pd.DataFrame,
        sentence: Text,
        *,
        by: Sequence[str] = (),
        rows: Rows | None = None,
        swap: Rows | None = None,
        control: Text | None = None,
        of: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
        along: str | None = "eps",
        role: str = "rerun",
        note: str = "",
        part: str = "",
    ) -> Shown:
        """Check a sentence about runs, write its evidence and return its line.

        `sentence` is a lambda on the rows of one run, a group of equal `by`, with the
        budget `along` as rising index. `rows` maps columns to the values that it speaks
        of, `swap` those that differ for other contenders, where it must come out the
        other way; or `control` is a near miss. `of` makes the table that it speaks of
        from that of the figure. The accepted table is asked as well; where it says
        otherwise, both are evidence. Raises CompanionError for rows or numbers that are
        not there, and where the control comes out as the sentence does.
        """
        question = Question(sentence, control, rows, swap, by, along)
        answers = {
            kind: question.of(table if of is None else of(table))
            for kind, table in self._tables(source).items()
        }
        distinct = answers
        if len({bool(one.violations) for one, _ in answers.values()}) == 1:
            # The tables agree: they are one piece of evidence.
            distinct = {" and ".join(answers): answers["fresh"]}
            _check_controls(name, question, answers)
        for kind, answer in distinct.items():
            remark = "; ".join(text for text in (note, question.meant, kind) if text)
            evidence = (name, self.page.name, role, *answer, question.other)
            self.page.keep(Evidence(*evidence, remark, part))
        counts = {kind: one.count for kind, (one, _) in answers.items()}
        return display(line(HEADS[role], counts, *answers["fresh"], question.other))

    def _tables(self, source: Figure | pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Return the tables that a sentence is about: accepted, if any, and fresh."""
        if isinstance(source, pd.DataFrame):
            return {"fresh": source}
        path = Layout.for_page().reference(self.page.profile, source.id)
        if not path.is_file():
            return {"fresh": source.table}
        return {"accepted": read_table(path), "fresh": source.table}


#: How a sentence came out, and its control.
Answer = tuple[Counts, Counts]


def _check_controls(
    name: str,
    question: Question,
    answers: Mapping[str, Answer],
) -> None:
    """Raise CompanionError where a control comes out as the sentence does."""
    one, other = answers["fresh"]
    for counts, control in answers.values():
        if bool(counts.violations) == bool(control.violations):
            raise CompanionError(
                f"{name}: {question.text}: seen in {one.count}; with "
                f"{question.other}: {other.count}. The control must come out the other "
                "way"
            )


def _head(name: str, kind: str, outcome: Outcome) -> str:
    """Return the words that stand before an outcome."""
    if outcome.universal:
        return "Proof"
    if kind == "as-printed" and name.startswith(OURS):
        return HEADS["own"]  # what this book states is printed nowhere else
    return HEADS[kind]


def _part(outcome: Outcome, texts: Texts) -> str:
    """Return the part that an outcome is evidence on."""
    if outcome.universal or texts.get("proof") is None:
        return texts.get("part", "")
    return ""


def _kind(outcome: Outcome, role: str, texts: Texts) -> str:
    """Return the role of an outcome as the ledger names it."""
    if outcome.universal:
        proved = ("corrected", "condition", "defined")
        stated = (ROLES[name] for name in proved if texts.get(name))
        return role or next(stated, ROLES["printed"])
    alone = texts.get("condition") is None and texts.get("corrected") is None
    return role if role and alone else ROLES[outcome.role]


def sharpness(outcome: Outcome) -> Sharpness | None:
    """Return how sharp the loosest comparison of a statement is.

    It is None where the statement has no inequality that was tried.
    """
    near = outcome.controls
    if outcome.universal or outcome.decided["fails"]:
        return None
    side = near.loosest
    if side is not None:
        return Sharpness(side.share, side.factor, side.text)
    if near.attained:
        return Sharpness(None, None, outcome.text, attained=True)
    return None


def _refuted_texts(outcome: Outcome) -> tuple[int, int]:
    """Return how many changed texts were refuted, and how many could be computed.

    Definitions that were changed count where no statement was.
    """
    near = outcome.controls
    sharper, sharper_tried = near.count("sharper")
    variants, variants_tried = near.count("variant")
    if sharper_tried or variants_tried:
        return sharper + variants, sharper_tried + variants_tried
    return near.count("definition")


#: What another statement of the same call is called as a control.
_OTHER = {
    "condition": "the same under the condition",
    "corrected": "the corrected statement",
}


def _control(
    outcome: Outcome,
    outcomes: Sequence[Outcome],
    by_hand: Sequence[Outcome] = (),
) -> Control:
    """Return what came out the other way: changed texts, or another statement.

    Raises NoEvidence where nothing did.
    """
    if outcome.verdict == "undecided":
        raise NoEvidence("It decides nothing.")
    fails = bool(outcome.decided["fails"])
    if not fails:
        refuted, tried = _refuted_texts(outcome)
        if refuted:
            near = outcome.controls.counts()
            return Counts(tried, refuted), f"changed texts that fail: {near}"
    for other in (*outcomes, *by_hand):
        if other is outcome or other.universal:
            continue
        if bool(other.decided["fails"]) != fails:
            return counted(other, 0), _OTHER.get(other.role, other.text)
    if not fails:
        raise NoEvidence(_no_failure(bool(by_hand)))
    raise NoEvidence(_no_success(outcomes, bool(by_hand)))


def _no_failure(by_hand: bool) -> str:
    """Say what to do where all that was tried holds."""
    if by_hand:
        return "The statement of control= holds as well: give one that is false."
    return (
        "No changed text of it fails, so that this is no evidence: give control=, a "
        "statement that is false."
    )


def _no_success(outcomes: Sequence[Outcome], by_hand: bool) -> str:
    """Say what to do where all that was tried is false."""
    false = {other.role for other in outcomes if other.decided["fails"]}
    if "corrected" in false:
        return "The correction is false: change corrected=."
    if "condition" in false:
        return "It is false under the condition as well: change condition=."
    if by_hand:
        return "The statement of control= is false as well: give one that holds."
    return (
        "The statement is false. Where it has to be, the check lacks what comes out "
        "the other way: give corrected=, or else give control=, a statement that holds."
    )
