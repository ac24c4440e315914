"""The addresses of claims and figures: their names, that they stay, their pages."""

import json

import pytest

from companion.ledger.claims import load_claims
from companion.ledger.registry import FigureSpec, load_registry
from companion.paths import CompanionError
from companion.site.permalinks import (
    address_sources,
    claim_address,
    figure_address,
    shown_figures,
)
from tests.repository import ROOT

CAPTION = (
    "A ring of $8$ modes, see [there](other.md#part), [here](#ring) and "
    "[that](https://example.org)."
)
BODY = f":alt: A ring.\n\n{CAPTION}"


def spec(name, page="one"):
    return FigureSpec(id=name, page=page, key=("x",))


def notebook(path, *texts):
    outputs = [
        {"output_type": "execute_result", "data": {"text/markdown": text}}
        for text in texts
    ]
    cells = [
        {"cell_type": "markdown", "source": "no output"},
        {"cell_type": "code", "outputs": outputs},
    ]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return path


def all_addresses(root=ROOT):
    claims = load_claims(root)
    names = [claim.id for claim in claims]
    for claim in claims:
        names += claim.formerly
    figures = load_registry(root / "data/figures.yml")
    return [*map(claim_address, names), *map(figure_address, figures)]


def test_no_two_addresses_differ_in_case_alone():
    names = [name.lower() for name in all_addresses()]
    assert len(set(names)) == len(names) > 700


def test_an_address_that_was_given_stays():
    """What stood in a release is printed elsewhere, so that it must not go."""
    released = (ROOT / "data/addresses.txt").read_text(encoding="utf-8").split()
    assert len(released) > 700
    assert released == sorted(released)
    assert sorted(set(released) - set(all_addresses())) == [], "these are gone"


def test_a_claim_that_was_merged_keeps_a_page_that_leads_to_the_other():
    pages = address_sources([{"id": "MBDE-L1", "formerly": ["MBDE-L2"]}], {}, {})
    assert set(pages) == {"claims/MBDE-L1", "claims/MBDE-L2"}
    assert "{claim}`MBDE-L1`" in pages["claims/MBDE-L2"]


def test_caption_and_text_are_those_that_the_notebook_shows(tmp_path):
    texts = (
        f"````{{bookfigure}} one/ring\n{BODY}\n````\n",
        "no figure",
        f"`````{{bookfigure}} one/two\n{BODY}\n`````\n",
    )
    path = notebook(tmp_path / "one.ipynb", *texts)
    assert shown_figures(path) == {"one/ring": BODY, "one/two": BODY}
    registry = {"ring": spec("ring"), "far": spec("far", page="not-executed")}
    sources = address_sources([{"id": "MBDE-L9"}], registry, {"one": path})
    assert (
        sources["claims/MBDE-L9"]
        == "---\norphan: true\n---\n````{claim-page} MBDE-L9\n````\n"
    )
    moved = BODY.replace("](other.md#part)", "](../notebooks/other.md#part)")
    assert (
        sources["claims/fig-ring"]
        == f"---\norphan: true\n---\n````{{figure-page}} one/ring\n{moved}\n````\n"
    )
    assert list(sources) == ["claims/MBDE-L9", "claims/fig-ring"]


def test_a_figure_that_is_computed_and_never_shown_is_refused(tmp_path):
    path = notebook(
        tmp_path / "one.ipynb", f"````{{bookfigure}} one/ring\n{BODY}\n````\n"
    )
    with pytest.raises(CompanionError, match=r"their notebook does not show: hidden$"):
        address_sources(
            [], {"ring": spec("ring"), "hidden": spec("hidden")}, {"one": path}
        )
