"""List what can be proved for all instances of small sizes: `python tools/solved.py [PAGE ...] [--most 3]`.

Of each notebook the statements are run that its claims need, and no others. A subclass
of `Claims` stands for `claim`: it checks nothing, and asks for a proof of each
statement instead.
"""

from __future__ import annotations

import argparse
import ast
import gc
import linecache
import time
from collections import Counter
from collections.abc import Iterator
from types import CodeType
from typing import Any

import jupytext

from companion.checks import ROLES, Claims
from companion.paths import Layout
from statements import solver
from statements.problem import pose
from statements.solver.questions import STEPS

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
        self.found: Counter[str] = Counter()

    def __call__(
        self,
        *names: str,
        on: Any = None,
        given: Any = (),
        condition: Any = None,
        **more: Any,
    ) -> None:  # type: ignore[override]
        """Ask for a proof of each statement of a claim, and print a line for it."""
        first, second = (
            [*x] if isinstance(x, list | tuple) else [x] for x in (given, condition)
        )
        stated = {
            role: more[role]
            for role in ("printed", "corrected", "defined")
            if more.get(role)
        }
        for role, statement in stated.items():
            self._ask(
                " ".join(names), more.get("role") or ROLES[role], on, statement, first
            )
        if condition is not None:
            self._ask(
                " ".join(names),
                ROLES["condition"],
                on,
                more["printed"],
                [*first, *second],
            )

    def ours(
        self,
        *,
        on: Any,
        printed: Any,
        given: Any = (),
        false: bool = False,
        **more: Any,
    ) -> None:  # type: ignore[override]
        """Ask for a proof of what the book adds."""
        self(
            "what might be expected" if false else "ours",
            on=on,
            printed=printed,
            given=given,
        )

    def solution(
        self, label: str, *table: Any, on: Any = None, printed: Any = None, **more: Any
    ) -> None:  # type: ignore[override]
        """Ask for a proof of the answer of an exercise."""
        if on is not None:
            self(label, on=on, printed=printed, given=more.get("given", ()))

    def twin(self, name: str, **given: Any) -> None:  # type: ignore[override]
        """Leave out what is false."""

    def small(self, name: str, because: str, **given: Any) -> None:  # type: ignore[override]
        """Leave out what is about sizes."""

    def rerun(self, name: str, *given: Any, **more: Any) -> None:  # type: ignore[override]
        """Leave out what is about runs."""

    def _ask(self, name: str, role: str, on: Any, statement: Any, given: Any) -> None:
        first = on[0] if isinstance(on, list | tuple) else on
        start = time.process_time()
        problem = pose(first, statement, given)
        answers = solver.settle(problem, self.most, solver.Budget(self.steps, SECONDS))
        gc.collect()  # what the solver had is no burden of the next statement
        spent = time.process_time() - start
        steps = sum(one.steps for one in answers)
        left = [one for one in answers if one.outcome != "proved"]
        kind = left[0].outcome if left else "proved"
        self.found[
            f"{kind}, proved for some sizes" if 0 < len(left) < len(answers) else kind
        ] += 1
        rest = "; ".join(
            f"{one.size}: {one.outcome}, {one.why}".strip(", ") for one in left
        )
        counts = f"{steps:,} steps, {spent:.1f} s"
        print(
            " | ".join(
                [self.name, name, role, solver.scope(first, answers), rest, counts]
            ),
            flush=True,
        )


class Silent:
    """Stand for the page of a notebook: it keeps nothing."""

    def value(self, key: str, value: object, template: str = "{}") -> str:
        """Return a number as text."""
        return template.format(value)


def _binds(statement: ast.stmt) -> set[str]:
    """Return the names that a statement gives a meaning to, or changes."""
    found = set()
    for node in ast.walk(statement):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                found.add(name)
    return found


def _asks(statement: ast.stmt) -> bool:
    """Tell whether a statement is an import or asks for a check."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return isinstance(statement, ast.Import | ast.ImportFrom) or any(
        ast.unparse(one.func) in ASKED for one in calls
    )


def _kept(cells: list[ast.Module]) -> list[list[ast.stmt]]:
    """Return of each cell what claims need: imports, the claims, and what gives their names a meaning."""
    every = [statement for cell in cells for statement in cell.body]
    kept = [statement for statement in every if _asks(statement)]
    for statement in kept:
        needed = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name)
        } - {"claim", "page"}
        kept += [
            other for other in every if other not in kept and _binds(other) & needed
        ]
    return [
        [statement for statement in cell.body if statement in kept] for cell in cells
    ]


def _codes(layout: Layout, page: str) -> Iterator[CodeType]:
    """Give the code of each statement, whose cell can be read again by its name."""
    notebook = jupytext.reads(
        layout.notebook(page).read_text(encoding="utf-8"), fmt="md:myst"
    )
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    for at, (text, kept) in enumerate(
        zip(texts, _kept([ast.parse(text) for text in texts]), strict=True)
    ):
        name = f"<{page}, cell {at}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        for statement in kept:
            yield compile(ast.Module([statement], []), name, "exec")


def main() -> None:
    """Print a line for each statement, and how many there are of each kind."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("pages", nargs="*")
    options.add_argument("--most", type=int, default=3, help="the largest size")
    options.add_argument(
        "--steps", type=int, default=STEPS, help="steps of the solver for a statement"
    )
    given = options.parse_args()
    layout = Layout.find()
    total = Counter[str]()
    for page in given.pages or layout.pages():
        survey = Survey(page, given.most, given.steps)
        names = {"claim": survey, "page": Silent(), "__name__": f"page {page}"}
        for code in _codes(layout, page):
            try:
                exec(code, names)
            except Exception as error:
                print(
                    f"{page} | {code.co_filename} ended early: {type(error).__name__}: {error}",
                    flush=True,
                )
        print(f"{page}: {dict(survey.found)}", flush=True)
        total += survey.found
    print(dict(total))


if __name__ == "__main__":
    main()
