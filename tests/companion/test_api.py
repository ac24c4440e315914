"""The page of public names: its packages, and docstrings as Sphinx reads them."""

import importlib
import pkgutil
import re

import pytest

import mollified
from companion.site.api import to_rst
from tests.repository import ROOT, text_of


@pytest.mark.parametrize(
    ("docstring", "rst"),
    [
        ("Return `x`, shape (k,).", "Return ``x``\\ , shape (k,)."),
        (
            r"At most $e^\varepsilon$; $k$-th.",
            r"At most :math:`e^\varepsilon`\ ; :math:`k`\ -th.",
        ),
        ("A formula $a\n+b$ over lines.", "A formula :math:`a +b` over lines."),
        ("|x| and 2**k, *but* x_ too.", r"\|x\| and 2\*\*k, *but* x\_ too."),
        ("Words.\n\n>>> 2**3\n8", "Words.\n\n>>> 2**3\n8"),
        (
            "Words:\n\n    a = b * c\n\n    d\n\nMore `x`.",
            "Words:\n\n::\n\n    a = b * c\n\n    d\n\nMore ``x``\\ .",
        ),
    ],
)
def test_a_docstring_becomes_what_sphinx_reads(docstring, rst):
    assert to_rst(docstring) == rst


def test_the_page_has_each_package_that_exports_names():
    exporting = {"statements"}
    for module in pkgutil.iter_modules(mollified.__path__):
        if module.ispkg and getattr(
            importlib.import_module(f"mollified.{module.name}"), "__all__", None
        ):
            exporting.add(f"mollified.{module.name}")
    page = text_of("book/api.md")
    assert (
        set(re.findall(r"^\.\. automodule:: (\S+)$", page, re.MULTILINE)) == exporting
    )
    assert len(exporting) == 10
    assert "book/api" in (ROOT / "_toc.yml").read_text(encoding="utf-8")
