"""List what can be proved for all instances of small sizes.

Use it as `python tools/solved.py [PAGE ...] [--most 3]`. Of each notebook the
statements are run that its claims need, and no others. A subclass of `Claims` stands
for `claim`: it checks nothing, and asks for a proof of each statement instead.
"""

from __future__ import annotations

import argparse
import ast
import gc
import linecache
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from types import CodeType
from typing import Any

import jupytext

from companion.checks import ROLES, Claims
from companion.paths import Layout
from statements.problem import pose
from statements.solver import answers as solver
from statements.solver.questions import STEPS, Budget
from statements.space import Space

#: A statement, as a page writes it; one or several of them; one or several spaces.
Statement = Callable[..., Any]
Statements = Statement | Sequence[Statement] | None
Spaces = type[Space] | Sequence[type[Space]] | None
#: What is called of a page's claims with a statement over a space; `solution` may have
#: one.
ASKED = ("claim", "claim.ours", "claim.solution")
#: What a statement may take of the clock.
SECONDS = 40


class Survey(Claims):
    """Ask for proofs in place of checks."""

    def __init__(self, name: str, most: int, steps: int) -> None:
        self.name = name
        self.most = most
        self.steps = steps
        self.kinds: Counter[str] = Counter()

    def __call__(
        self,
        *names: str,
        on: Spaces = None,
        given: Statements = (),
        condition: Statements = None,
        **more: Any,
    ) -> None:  # type: ignore[override]
        """Ask for a proof of each statement of a claim, and print a line for it."""
        name = " ".join(names)
        hypotheses = _listed(given)
        for key in ("printed", "corrected", "defined"):
            if more.get(key):
                role = more.get("role") or ROLES[key]
                self._ask(name, role, on, more[key], hypotheses)
        if condition is not None:
            hypotheses += _listed(condition)
            self._ask(name, ROLES["condition"], on, more["printed"], hypotheses)

    def ours(
        self,
        *,
        on: Spaces,
        printed: Statement,
        given: Statements = (),
        false: bool = False,
        **more: Any,
    ) -> None:  # type: ignore[override]
        """Ask for a proof of what the book adds."""
        name = "ours"
        if false:
            name = "what might be expected"
        self(name, on=on, printed=printed, given=given)

    def solution(
        self,
        label: str,
        *table: Any,
        on: Spaces = None,
        printed: Statement | None = None,
        **more: Any,
    ) -> None:  # type: ignore[override]
        """Ask for a proof of the answer of an exercise."""
        if on is not None:
            self(label, on=on, printed=printed, given=more.get("given", ()))

    def twin(self, name: str, **more: Any) -> None:  # type: ignore[override]
        """Leave out what is false."""

    def small(self, name: str, because: str, **more: Any) -> None:  # type: ignore[override]
        """Leave out what is about sizes."""

    def rerun(self, name: str, *table: Any, **more: Any) -> None:  # type: ignore[override]
        """Leave out what is about runs."""

    def _ask(
        self,
        name: str,
        role: str,
        on: Spaces,
        statement: Statement,
        hypotheses: list[Statement],
    ) -> None:
        space = _listed(on)[0]
        start = time.process_time()
        problem = pose(space, statement, hypotheses)
        budget = Budget(self.steps, SECONDS)
        answers = solver.settle(problem, self.most, budget)
        gc.collect()  # what the solver had is no burden of the next statement
        spent = time.process_time() - start
        steps = sum(answer.steps for answer in answers)
        self.kinds[_kind(answers)] += 1
        columns = [
            self.name,
            name,
            role,
            solver.scope(space, answers),
            "; ".join(_reasons(answers)),
            f"{steps:,} steps, {spent:.1f} s",
        ]
        print(" | ".join(columns), flush=True)


def _listed(values: Any) -> list[Any]:
    """Return one value or several as a list."""
    if isinstance(values, list | tuple):
        return [*values]
    return [values]


def _kind(answers: list[solver.Answer]) -> str:
    """Return what is known of all sizes of a statement."""
    left = [answer for answer in answers if answer.outcome != "proved"]
    if not left:
        return "proved"
    if len(left) < len(answers):
        return f"{left[0].outcome}, proved for some sizes"
    return left[0].outcome


def _reasons(answers: list[solver.Answer]) -> Iterator[str]:
    """Say of each size that is not proved why."""
    for answer in answers:
        if answer.outcome != "proved":
            yield f"{answer.size}: {answer.outcome}, {answer.why}".strip(", ")


class Silent:
    """Stand for the page of a notebook: it keeps nothing."""

    def value(self, key: str, value: object, template: str = "{}") -> str:
        """Return a number as text."""
        return template.format(value)


def _binds(statement: ast.stmt) -> set[str]:
    """Return the names that a statement gives a meaning to, or changes."""
    names = set()
    for node in ast.walk(statement):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                names.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                names.add(name)
    return names


def _asks(statement: ast.stmt) -> bool:
    """Tell whether a statement is an import or asks for a check."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ASKED:
            return True
    return False


def _uses(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a page uses."""
    nodes = ast.walk(statement)
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names - {"claim", "page"}


def _needed(cells: list[ast.Module]) -> list[list[ast.stmt]]:
    """Return of each cell what claims need.

    That is imports, the claims, and what gives their names a meaning.
    """
    every = [*chain.from_iterable(cell.body for cell in cells)]
    needed = [*filter(_asks, every)]
    for statement in needed:  # which grows
        names = _uses(statement)
        for other in every:
            if other not in needed and _binds(other) & names:
                needed.append(other)
    return [[line for line in cell.body if line in needed] for cell in cells]


def _codes(layout: Layout, page: str) -> Iterator[CodeType]:
    """Give the code of each statement, whose cell can be read again by its name."""
    notebook = jupytext.reads(
        layout.notebook(page).read_text(encoding="utf-8"), fmt="md:myst"
    )
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    needed = _needed([ast.parse(text) for text in texts])
    for at, (text, statements) in enumerate(zip(texts, needed, strict=True)):
        name = f"<{page}, cell {at}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        for statement in statements:
            yield compile(ast.Module([statement], []), name, "exec")


def main() -> None:
    """Print a line for each statement, and how many there are of each kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--most", type=int, default=3, help="the largest size")
    parser.add_argument(
        "--steps", type=int, default=STEPS, help="steps of the solver for a statement"
    )
    options = parser.parse_args()
    layout = Layout.find()
    total = Counter[str]()
    for page in options.pages or layout.pages():
        survey = Survey(page, options.most, options.steps)
        names = {"claim": survey, "page": Silent(), "__name__": f"page {page}"}
        for code in _codes(layout, page):
            try:
                exec(code, names)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                print(f"{page} | {code.co_filename} ended early: {why}", flush=True)
        print(f"{page}: {dict(survey.kinds)}", flush=True)
        total += survey.kinds
    print(dict(total))


if __name__ == "__main__":
    main()
