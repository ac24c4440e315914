"""A claim has the grade of a proof for small sizes where each of its calls asks for
one, not one call of several.
"""

import ast
from collections import defaultdict

import jupytext
import pytest

from tests.repository import ROOT, tracked

PAGES = [
    name for name in tracked() if name.startswith("notebooks/") and name.endswith(".md")
]


def calls_of(page):
    """Return what claims of a page are called with over a space: names of arguments,
    and texts of those that count.
    """
    found = []
    for cell in jupytext.reads(page, fmt="md:myst").cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "claim":
                given = {word.arg: ast.unparse(word.value) for word in node.keywords}
                found += [
                    (ast.literal_eval(name), given)
                    for name in node.args
                    if "on" in given
                ]
    return found


def about(given):
    """Say which statement of its claim a call is about: the printed one, one with a
    condition, the corrected one.
    """
    if "corrected" in given:
        return "corrected"
    if "condition" in given:
        return "under-condition"
    return ast.literal_eval(given.get("role", "'as-printed'"))


def faults(page):
    """Return the claims of a page of which one call asks for a proof, and another one
    of the same part does not.
    """
    parts = defaultdict(list)
    for name, given in calls_of(page):
        part = "" if "proof" in given else given.get("part", "")
        parts[name, about(given), part].append(
            "solve" in given or ("proof" in given and "part" not in given)
        )
    asked = {name for name, given in calls_of(page) if "solve" in given}
    return sorted(
        {
            name
            for (name, *_), proved in parts.items()
            if name in asked and any(proved) and not all(proved)
        }
    )


@pytest.mark.parametrize("name", PAGES)
def test_each_call_of_a_claim_asks_for_a_proof_or_none_does(name):
    assert faults((ROOT / name).read_text(encoding="utf-8")) == []


def test_a_call_without_a_proof_is_found():
    cell = "```{code-cell} python3\nCALL\n```\n"
    first = cell.replace("CALL", 'claim("A", on=X, solve=2, printed=f)')

    def with_second(words):
        return first + cell.replace("CALL", f'claim("A", "B", on=Y, {words}printed=g)')

    assert faults(with_second("")) == ["A"]
    for words in ("solve=1, ", "part='half', ", "role='corrected', ", "proof=h, "):
        assert faults(with_second(words)) == [], words
    assert faults(with_second("proof=h, part='a step', ")) == ["A"]
