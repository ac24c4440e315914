"""The style of the house, in modules, tools and cells: see `tools/style.py`."""

from pathlib import Path

import pytest

from tests.repository import ROOT, load_tool

STYLE = load_tool("style")

#: What is held to the bars, each as a whole.
PLACES = [
    "src/statements",
    "src/mollified",
    "src/companion",
    "tools",
    "notebooks",
]


@pytest.mark.parametrize("place", PLACES)
def test_code_is_no_denser_than_the_house_allows(place):
    sources = list(STYLE.sources([ROOT / place]))
    assert sources
    faults = [str(fault) for source in sources for fault in STYLE.faults(source)]
    assert faults == []
    total = sum(map(STYLE.density, sources), STYLE.Density())
    assert not total.too_dense, str(total)


LONG = "def f():\n" + "    x = 1\n" * 40
BRANCHES = "def f(x):\n" + "    if x:\n        return 1\n" * 11

#: A text, and a word of what is wrong with it: none where nothing is.
CASES = [
    ("a, b = x, y", "packed"),
    ("a, b = b, a", ""),
    ("a, b = b, a + b", ""),
    ("a, b = pair", ""),
    ("x = a if b else c", ""),
    ("x = a if b else (c if d else e)", "in another"),
    ("x = f(a if b else c) if d else e", "in another"),
    ("rows = [x for row in table for x in row]", "nested"),
    ("cells = [x * y for x in rows for y in columns]", ""),
    ("cells = [x for x in a for y in b for z in c]", "nested"),
    ("rows = [[x + y for x in row] for y in columns]", ""),
    ("rows = [y for y in [f(x)]]", "one value"),
    ("rows = [y for y in [*x]]", ""),
    ("text = ', and more' * bool(x)", "text"),
    ("text = f'{x}, ' * more", "text"),
    ("text = '-' * width", ""),
    ("text = '- ' * 40", ""),
    ("rows = [0] * (x > 1)", "list"),
    ("rows = [0] * size", ""),
    ("rows += [x] if x else []", "nothing"),
    ("for x in rows if rows else ():\n    pass", "loop"),
    ("for thing.name in rows:\n    pass", "target"),
    ("found = 1", "found"),
    ("def f(made):\n    pass", "made"),
    ("def f(given):\n    pass", ""),
    ("given = 1", "given"),
    ("class A:\n    given: int", ""),
    (LONG, "lines"),
    (LONG.replace("x", '"""A."""\n    x', 1)[: -len("    x = 1\n")], ""),
    (BRANCHES, "complex"),
]


@pytest.mark.parametrize(("text", "word"), CASES)
def test_each_rule_finds_what_it_is_about_and_no_more(text, word):
    faults = [str(one) for one in STYLE.faults(STYLE.Source(Path("a.py"), text))]
    assert [word in fault for fault in faults] == ([True] if word else [])


def test_formulas_of_statements_are_written_as_in_print():
    text = "case = lambda x: a if x > 2 else b if x > 1 else c\n"
    for name, expected in (("a.py", 1), ("instances.py", 0), ("page.md", 0)):
        assert len(list(STYLE.faults(STYLE.Source(Path(name), text)))) == expected
    assert list(STYLE.faults(STYLE.Source(Path("instances.py"), BRANCHES))) == []


def test_functions_of_a_page_that_its_statements_use_are_formulas(tmp_path):
    page = tmp_path / "page.md"
    case = "    return a if x > 2 else b if x > 1 else c\n"
    page.write_text(
        f"```{{code-cell}}\ndef part(x):\n{case}\n\ndef sign(x):\n    return part(x)\n"
        f"\n\ndef other(x):\n{case}```\n\n"
        "```{code-cell}\nclass S(Space):\n    s = lambda x: sign(x)\n```\n",
        encoding="utf-8",
    )
    places = [fault.line for cell in STYLE.cells(page) for fault in STYLE.faults(cell)]
    assert places == [11]


def test_cells_of_a_page_are_read_at_their_lines(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n\n```{code-cell} python3\n:tags: [hide-input]\n\na = 1\nfound = a\n"
        "```\n"
        "\n```python\nmade = 2\n```\n\n```{code-cell}\nmade = 2\n```\n",
        encoding="utf-8",
    )
    sources = list(STYLE.cells(page))
    assert [source.text for source in sources] == ["a = 1\nfound = a\n", "made = 2\n"]
    places = [fault.line for source in sources for fault in STYLE.faults(source)]
    assert places == [7, 15]


def test_density_counts_code_and_no_docstrings():
    text = '"""A module."""\n\n# A comment.\nx = (\n    1,\n)\ny = x if x else x\n'
    density = STYLE.density(STYLE.Source(Path("a.py"), text))
    assert (density.lines, density.tokens, density.conditionals) == (4, 13, 1)
    assert density.too_dense, "of four lines one has a conditional"


def test_a_file_that_is_neither_python_nor_a_page_is_not_read(tmp_path, capsys):
    path = tmp_path / "figures.yml"
    path.write_text("a: 1\n", encoding="utf-8")
    assert STYLE.main([str(path)]) == 0
    said = capsys.readouterr().out
    assert "is of Python and of pages" in said
    assert "0 lines" not in said
