"""The page that teaches the kernel prints what a run of its examples prints."""

import contextlib
import io
import linecache
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "book" / "statements.md"


def examples():
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)


def test_examples_print_what_the_page_shows():
    cells = examples()
    assert len(cells) == 4
    space: dict = {"__name__": "example"}
    for number, (code, shown) in enumerate(cells):
        name = f"<example {number}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, name, "exec"), space)
        assert printed.getvalue() == shown, printed.getvalue()
