"""The accepted data of the figures and the book's own notebooks, as the build sees
them.
"""

import shutil

import numpy as np
import pytest
import yaml

from companion.ledger.registry import load_registry, with_tolerances
from companion.paths import Layout
from companion.profiles import PROFILES
from companion.run import runner
from companion.snapshots import update as acceptance
from companion.snapshots.compare import by_key, read_texts, row_label, tolerances_apart
from tests.repository import ROOT

LAYOUT = Layout(ROOT)
REGISTRY = load_registry(LAYOUT.registry)
#: How far the profiles may be apart, where that is more than a tolerance; "none" where
#: rows are not comparable.
AGREEMENT = {
    name: entry["agreement"]
    for name, entry in yaml.safe_load(
        LAYOUT.registry.read_text(encoding="utf-8")
    ).items()
    if "agreement" in entry
}


def test_accepted_data_are_those_of_the_manifest_and_the_log():
    assert acceptance.verify_manifest(ROOT) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_every_figure_has_accepted_data(profile):
    accepted = {
        path.stem
        for path in LAYOUT.reference(profile, "theta-budget").parent.glob("*.csv")
    }
    assert accepted == set(REGISTRY)


def compared(spec, shift=0):
    """Return how many rows both profiles have, and the cells further apart than the
    registry allows.

    With a shift each row is compared with the one so many places further on, which must
    fail.
    """
    quick, paper = (
        by_key(spec, read_texts(LAYOUT.reference(name, spec.id)))
        for name in ("quick", "paper")
    )
    both = quick.index[quick.index.isin(paper.index)]
    quick, paper = quick.loc[both], paper.loc[np.roll(both, -shift)].set_axis(both)
    cells = []
    for name in quick.columns.intersection(paper.columns).difference(spec.key):
        empty = quick[name].isin(["", "nan"]) | paper[name].isin(["", "nan"])
        room = (
            with_tolerances(spec, AGREEMENT[spec.id]) if spec.id in AGREEMENT else spec
        )
        apart = (tolerances_apart(room, quick[name], paper[name]) > 1) & ~empty
        for key in both[apart]:
            was = paper.at[key, name]
            cells.append(
                f"{name} at {row_label(spec, quick.loc[key])}: "
                f"{quick.at[key, name]}, paper {was}"
            )
    return len(both), cells


@pytest.mark.parametrize(
    "name", [name for name in REGISTRY if AGREEMENT.get(name) != "none"]
)
def test_the_quick_profile_agrees_with_the_paper_profile(name):
    """On the rows that both have, within what the registry states; rows against shifted
    ones must not agree.
    """
    spec = REGISTRY[name]
    rows, apart = compared(spec)
    assert apart == []
    assert any(compared(spec, shift)[1] for shift in (1, rows // 2))


@pytest.mark.slow
def test_a_constant_that_breaks_the_mathematics_turns_the_page_red(tmp_path):
    for name in ("notebooks", "src", "data"):
        shutil.copytree(
            ROOT / name,
            tmp_path / name,
            ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"),
        )
    for name in ("_config.yml", "_toc.yml", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    book = Layout(tmp_path)
    instances = book.source / "mollified" / "boosting" / "instances.py"
    text = instances.read_text(encoding="utf-8")
    broken = text.replace("return ε / (ε + 4 * log(2))", "return ε / (ε + 2 * log(2))")
    assert broken != text
    instances.write_text(broken, encoding="utf-8")
    entries, _ = runner.execute_pages(book, "quick", ["mbde-algorithm"], jobs=1)
    assert "V2-Alg1-l5" in (entries["mbde-algorithm"].failed or "")
