"""What a reader copies from a claim: the corrected statement as LaTeX, a sentence that
cites it; and their script.
"""

import dataclasses
import re

import pytest

from companion import __version__
from companion.citing.publication import find_publication
from companion.ledger.claims import load_claims, load_sources
from companion.site.clipboard import SAID, citation, copies, latex
from companion.site.scripts import joined
from tests.companion.test_sphinx_ext import claim
from tests.repository import ROOT

SOURCES = load_sources(ROOT)
PUBLICATION = dataclasses.replace(find_publication(ROOT), site=None)
FALSE = claim(
    "MBDE-T6",
    "false",
    correction="With *one* $u$, 5 % more:\n\n$$\nx_1\\ge u\n$$\n\nAs in `a_b`.",
)
BOUND = claim("MBDE-H", "holds-with-condition", condition="$x>0$.")


def at(*places):
    return [{"source": source, "at": where} for source, where in places]


def test_a_corrected_statement_is_latex_with_its_name():
    assert latex(FALSE) == (
        f"% MBDE-T6, mollified {__version__}\nWith \\emph{{one}} $u$, 5 \\% "
        "more:\n\n\\[\nx_1\\ge u\n\\]\n\n"
        "As in \\texttt{a\\_b}.\n"
    )


def test_without_a_correction_the_statement_comes_with_its_condition():
    text = latex(BOUND)
    assert r"For every $T$, $\sum_t \theta_t < \varepsilon$." in text
    assert text.endswith(
        "$P$ has a density\n\n\\emph{Condition that is needed:} $x>0$.\n"
    )
    starred = latex({**FALSE, "correction": "For $c_t^*$, *with $u=c_t^*$*, it is."})
    assert "For $c_t^*$, \\emph{with $u=c_t^*$}, it is." in starred, (
        "a star in a formula is no stress"
    )


@pytest.mark.parametrize(
    ("places", "begins"),
    [
        (
            at(("v1", "Theorem 6, (8)-(9), section 4"), ("v3", "Theorem 5")),
            "Theorem 5 of Husain et al. (version 3; Theorem 6 of version 1) is",
        ),
        (
            at(("v1", "Lemma 3"), ("v3", "after Lemma 4")),
            "Lemma 3 of Husain et al. (version 1) is",
        ),
        (
            at(("v2", "(69)-(70)")),
            "The statement at “(69)-(70)” of Husain et al. (version 2) is",
        ),
        (
            at(("lecture", "slide 2")),
            "The statement at “slide 2” of Bellet (the lecture) is",
        ),
        (
            at(("bootstrapping", "Theorem 6")),
            "Theorem 6 of “Delving into Bootstrapping for Differential Privacy” is",
        ),
    ],
)
def test_a_citation_names_place_and_text(places, begins):
    said = citation({**FALSE, "places": places}, SOURCES, PUBLICATION)
    assert said.startswith(begins)
    assert "is false as printed; corrected in " in said
    assert said.endswith(
        f"“{PUBLICATION.title}”, mollified {__version__}, claim MBDE-T6"
    )


def test_a_known_address_ends_the_citation_and_an_unknown_one_is_left_to_the_script():
    known = dataclasses.replace(PUBLICATION, site="https://example.org/book")
    assert citation(FALSE, SOURCES, known).endswith(
        "claim MBDE-T6, https://example.org/book/claims/MBDE-T6.html"
    )
    assert "data-page" not in copies(FALSE, SOURCES, known, "../claims/MBDE-T6.html")
    assert 'data-page="../claims/MBDE-T6.html"' in copies(
        FALSE, SOURCES, PUBLICATION, "../claims/MBDE-T6.html"
    )


def test_nothing_is_copied_where_nothing_is_corrected():
    assert copies(claim("MBDE-L9", "holds"), SOURCES, PUBLICATION, "") == ""
    assert "data-latex" not in copies(
        claim("MBDE-B", "false"), SOURCES, PUBLICATION, ""
    )
    assert (
        copies(
            claim("MBDE-X", "not-reproduced", correction="Half."),
            SOURCES,
            PUBLICATION,
            "",
        )
        == ""
    )


def test_all_corrected_statements_can_be_copied():
    """No formula is torn, no Markdown is left, and each false claim says what is wrong
    and what stands.
    """
    seen = 0
    for one in load_claims(ROOT):
        entry = one.record
        given = {**entry, "verdict": entry["expected"]}
        if entry["expected"] in (
            "false",
            "holds-with-condition",
            "variant-only",
            "not-reproduced",
        ):
            assert "stands" in entry or entry["id"].startswith("GHO-"), entry["id"]
        if (given["verdict"], "correction" in given) not in SAID:
            continue
        seen += 1
        text = latex(given)
        outside = re.sub(
            r"\\\[\n.*?\n\\\]|\$[^$]+\$|Theorem 2\*", "", text, flags=re.DOTALL
        )
        assert not re.search(r"\$|\\(?:frac|le|ge|log)\b|(?<!\\)[_^&#]|\*", outside), (
            entry["id"],
            outside,
        )
        assert citation(given, SOURCES, PUBLICATION)
    assert seen > 120


# The script, in a browser

LATEX = "Copy the corrected statement as LaTeX, MBDE-T6"
CITE = "Copy a citation, MBDE-T6"


@pytest.fixture
def opened(window, tmp_path):
    """A function that opens a page with a card's buttons, at an address of the network,
    else as a file of a reader.
    """
    script = joined(ROOT / "book/_scripts/copy-claim.js")
    body = copies(FALSE, SOURCES, PUBLICATION, "../claims/MBDE-T6.html")
    head = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>One</title>"
    path = tmp_path / "one.html"
    path.write_text(
        f"{head}<main>{body}</main><script>{script}</script>", encoding="utf-8"
    )

    def opened(address="", before=""):
        view = window(permissions=["clipboard-read", "clipboard-write"])
        view.add_init_script(before)
        view.route(
            "https://example.org/**",
            lambda route: route.fulfill(path=path, content_type="text/html"),
        )
        view.goto(address or path.as_uri())
        return view

    return opened


def pressed(view, name):
    """Press a button by the keyboard, and return what is announced."""
    button = view.get_by_role("button", name=name)
    button.focus()
    view.keyboard.press("Enter")
    view.wait_for_function("() => document.querySelector('[role=status]').textContent")
    assert (
        view.evaluate("() => document.activeElement.textContent")
        == name.partition(",")[0]
    )
    return view.get_by_role("status").text_content()


def clipboard(view):
    return view.evaluate("() => navigator.clipboard.readText()")


@pytest.mark.slow
def test_buttons_copy_by_keyboard_and_say_so(opened):
    view = opened()
    assert pressed(view, LATEX) == "LaTeX copied."
    assert clipboard(view) == latex(FALSE)
    assert pressed(view, CITE) == "Citation copied."
    assert clipboard(view) == citation(FALSE, SOURCES, PUBLICATION) + ".", (
        "a page on a disk has no address to cite"
    )
    view = opened("https://example.org/book/notebooks/one.html?x=1#there")
    pressed(view, CITE)
    said = (
        f"mollified {__version__}, claim MBDE-T6, "
        "https://example.org/book/claims/MBDE-T6.html."
    )
    assert clipboard(view).endswith(said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allowed", "said"),
    [("true", "LaTeX copied."), ("false", "The browser did not allow it.")],
)
def test_without_a_clipboard_the_old_way_is_taken_and_a_refusal_is_told(
    opened, allowed, said
):
    none = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    view = opened(before=f"{none}; document.execCommand = () => {allowed};")
    assert pressed(view, LATEX) == said
    assert view.locator("textarea").count() == 0
