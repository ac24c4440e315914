"""Check a claim as it stands in a cell: run the kernel, write the evidence, show the formula and one line.

`claim = page.claims(seed)` at the head of a notebook; then `claim("MBDE-L11", on=Steps, printed=lambda ...)`. What
counts as evidence, and what follows from it, is for `companion.ledger.verdicts` alone.
"""

from __future__ import annotations

import html
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from companion.ledger import reruns
from companion.ledger.accepted import read_table
from companion.ledger.verdicts import OURS, Counts, Evidence
from companion.paths import CompanionError, Layout
from companion.shown import Figure, Shown
from companion.site.plain import plain_html, plain_words
from statements import Outcome, check, twin
from statements.writing import Written

if TYPE_CHECKING:
    from companion.page import Page

#: Instances looked at in floats, and decided exactly; near misses tried.
EFFORT = {"quick": (10_000, 60, 40), "paper": (40_000, 400, 120)}
ROLES = {"printed": "as-printed", "condition": "under-condition", "corrected": "corrected", "defined": "well-posed"}
HEADS = {
    "as-printed": "As printed", "under-condition": "Under the condition", "corrected": "Corrected",
    "well-posed": "Well posed", "ours": "A result of this book", "tempting": "One might think so",
    "rerun": "Our rerun", "rerun-variant": "Our rerun of a variant", "own": "As stated here",
}  # fmt: skip


def counted(found: Outcome, seed: int) -> Counts:
    """Return the counts of an outcome as the ledger reads them."""
    decided = found.decided["holds"] + found.decided["fails"]
    scope = "universal" if found.universal else "instances"
    worst = 0.0 if found.universal else found.worst
    return Counts(decided, found.decided["fails"], worst, found.arithmetic, found.example or {}, seed, scope)


class Claims:
    """Check claims of a page; each has a stream of random numbers of its own, from the seed and its name.

    Raises CompanionError where an outcome is undecided, or no control came out the other way.
    """

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.seed = page, seed
        self._calls: Counter[str] = Counter()

    def _given(self, name: str, share: int = 3) -> dict[str, Any]:
        """Return random numbers for a call, and how much is tried: for what is no claim, one in `share`."""
        self._calls[name] += 1
        rng = np.random.default_rng([self.seed, zlib.crc32(name.encode()), self._calls[name]])
        effort = zip(("looked", "decided", "near"), EFFORT[self.page.profile], strict=True)
        return {"rng": rng, **{what: count // share for what, count in effort}}

    def _keep(self, name: str, role: str, check: Counts, control: Counts, *words: str) -> None:
        self.page.keep(Evidence(name, self.page.name, role, check, control, *words))

    def __call__(
        self, *names: str, on: Any = None, control: Any = None, role: str = "", step_of: str = "", **given: Any
    ) -> Shown:
        """Check a claim, or what several say, write its evidence and return what a reader sees; see `statements.check`.

        `control` is a statement by hand that must come out the other way, where no near miss does. `role` is that of a
        proof, by default corrected, or under a condition, or as printed, whichever of them is given first; or that of
        `printed` where it is given alone: `role="under-condition"` for what is meant, in words that are not printed.
        The printed statement is evidence on the proof of `step_of` as well. `part` names what `proof` covers where
        it is not the whole statement, or the call where it has no `proof`: that counts for the part alone.
        """
        name = " ".join(names)
        effort, given = self._given(name, 1), {"proof": None, "part": "", **given}
        found = check(on, **given, **effort)
        proved = next(
            key for key in ("corrected", "condition", "defined", "printed") if given.get(key) or key == "printed"
        )
        by_hand = [] if control is None else check(on, printed=control, given=given.get("given", ()), **effort)
        alone = given.get("condition") is None and given.get("corrected") is None
        kinds = [
            (role or ROLES[proved]) if one.universal else role if role and alone else ROLES[one.role] for one in found
        ]
        for outcome, kind in zip(found, kinds, strict=True):
            if outcome.verdict == "undecided":
                raise CompanionError(f"{name}: the evidence does not decide it: {outcome.line()}")
            broken, note = self._control(name, outcome, [*found, *by_hand])
            part = given["part"] if outcome.universal or given["proof"] is None else ""
            said = ("" if outcome.universal else f"{outcome.looked:,} looked at in floats", part)
            check_ = counted(outcome, self.seed)
            if step_of and outcome.role == "printed":
                self._keep(step_of, "proof-step", check_, broken, note, *said)
            for one in names:
                self._keep(one, kind, check_, broken, note, *said)
                if outcome.script is not None:
                    path = self.page.directory / "scripts" / f"{one}.{self._calls[name]}.py"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(outcome.script, encoding="utf-8", newline="\n")
        own = name.startswith(OURS)  # what this book states is printed nowhere else
        return self._shown(found, ["own" if own and kind == "as-printed" else kind for kind in kinds])

    @staticmethod
    def _control(name: str, outcome: Outcome, found: list[Outcome]) -> tuple[Counts, str]:
        near = outcome.controls
        if not outcome.decided["fails"] and near.refuted:
            return Counts(near.tried, len(near.refuted)), "stronger statements made from its text"
        for other in (item for item in found if item is not outcome and not item.universal):
            if bool(other.decided["fails"]) != bool(outcome.decided["fails"]):
                words = {"condition": "the same under the condition", "corrected": "the corrected statement"}
                return counted(other, 0), words.get(other.role, other.text)
        raise CompanionError(
            f"{name}: {outcome.line()}. Nothing came out the other way, so that this is no evidence: give control=, a "
            "statement that does"
        )

    def twin(self, name: str, *, on: Any, printed: Any, given: Any = (), at: Any = None) -> Shown:
        """Check a false near miss of a claim, which must be refuted in every build; it is no evidence on the claim."""
        found = twin(on, printed=printed, given=given, at=at, **self._given(name))
        return _block(found, f"A false twin of {{claim}}`{name}`, {found.line()}.")

    def ours(self, *, on: Any, false: bool = False, **given: Any) -> Shown:
        """Check a statement of this book that has no entry; `false` is for one that might be expected and must fail.

        A third of what a claim gets is tried. Raises CompanionError where it comes out otherwise, or nothing stronger
        was refuted.
        """
        (found,) = check(on, **given, **self._given("ours"))
        if found.verdict != ("false" if false else "holds") or not (false or found.controls.refuted):
            raise CompanionError(f"a statement of this book came out otherwise: {found.line()}")
        return self._shown([found], ["tempting" if false else "ours"])

    def solution(
        self, label: str, table: pd.DataFrame | None = None, sentence: Any = None, *, by: Sequence[str] = (),
        rows: reruns.Rows | None = None, swap: reruns.Rows | None = None, control: Any = None, **given: Any,
    ) -> Shown:  # fmt: skip
        """Check the answer of an exercise: a statement, as in `ours`, or a sentence about runs; see `Page.solved`."""
        if table is not None:
            asked = reruns.Asked(sentence, control, rows or {}, swap, by, None)
            return self.page.solved(label, *asked.of(table), asked.other)
        (found,) = check(given.pop("on", None), **given, **self._given(label))
        near = found.controls
        control = Counts(max(1, near.tried), len(near.refuted))
        return self.page.solved(label, counted(found, self.seed), control, "near misses")

    def rerun(
        self, name: str, source: Figure | pd.DataFrame, sentence: Any, *, by: Sequence[str] = (),
        rows: reruns.Rows | None = None, swap: reruns.Rows | None = None, control: Any = None, of: Any = None,
        along: str | None = "eps", role: str = "rerun", note: str = "", part: str = "",
    ) -> Shown:  # fmt: skip
        """Check a sentence about runs, write its evidence and return the line that a reader sees.

        `sentence` is a lambda on the rows of one run, a group of equal `by`, with the budget `along` as rising index.
        `rows` maps columns to the values that it speaks of, `swap` those that differ for other contenders, where it
        must come out the other way; or `control` is a near miss. `of` makes the table that it speaks of from that of
        the figure. The accepted table is asked as well; where it says otherwise, both are evidence. Raises
        CompanionError for rows or numbers that are not there, and where the control comes out as the sentence does.
        """
        asked = reruns.Asked(sentence, control, rows or {}, swap, by, along)
        tables = {"fresh": source if isinstance(source, pd.DataFrame) else source.table}
        if not isinstance(source, pd.DataFrame):
            path = Layout.for_page().reference(self.page.profile, source.id)
            tables = {**({"accepted": read_table(path)} if path.is_file() else {}), **tables}
        found = {kind: asked.of(raw if of is None else of(raw)) for kind, raw in tables.items()}
        agree = len({bool(one.violations) for one, _ in found.values()}) == 1
        kinds = {" and ".join(found): found["fresh"]} if agree else found
        for kind, (one, broken) in kinds.items():
            if agree and any(bool(a.violations) == bool(b.violations) for a, b in found.values()):
                raise CompanionError(
                    f"{name}: {asked.text}: seen in {one.count}; with {asked.other}: {broken.count}. The control must "
                    "come out the other way"
                )
            told = "; ".join(item for item in (note, reruns.words(rows or {}), kind) if item)
            self._keep(name, role, one, broken, asked.other, told, part)
        counts = {kind: one.count for kind, (one, _) in found.items()}
        return reruns.line(HEADS[role], counts, *found["fresh"], asked.other)

    @staticmethod
    def _shown(found: list[Outcome], kinds: list[str]) -> Shown:
        heads = ["Proof" if item.universal else HEADS[kind] for item, kind in zip(found, kinds, strict=True)]
        blocks = [_block(item, f"{head}, {item.line()}.") for head, item in zip(heads, found, strict=True)]
        joined = "\n".join(block.markdown for block in blocks)
        return Shown(joined, "".join(b.markup for b in blocks), "\n".join(b.text for b in blocks))


def _block(found: Outcome, line: str) -> Shown:
    """Return the formulas of a check and its line; values of an example are set as code."""
    values = ", ".join(f"{key} = {value}" for key, value in (found.example or {}).items())
    line = line.replace(values, f"`{values}`") if values else line
    main, *rest = found.latex
    body = f"{_display(main)}\n{line}\n"
    if rest:
        body += "\n````{dropdown} Where\n" + "\n".join(map(_display, rest)) + "````\n"
    shown = "".join(
        f"<p>\\[{html.escape(item.latex)}\\]</p>" if item.latex else f"<pre>{html.escape(item.source)}</pre>"
        for item in found.latex
    )
    return Shown(body, f"{shown}<p>{plain_html(line)}</p>", f"{found.text}\n{plain_words(line)}")


def _display(item: Written) -> str:
    """Return a formula as a display, or where there is none its source."""
    return f"$$\n{item.latex}\n$$\n" if item.latex else f"```python\n{item.source}\n```\n"
