"""MyST in plain words, and a page of the book as plain Markdown."""

import pytest

from companion.paths import CompanionError
from companion.plain_text import plain_html, plain_words
from companion.site.plain_markdown import Known, PlainPage, claim_text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see {claim}`MBDE-L9`, {val}`a:b`", "see MBDE-L9, a:b"),
        ("{claim}`the bound <MBDE-L9>` holds", "the bound holds"),
        (
            "[the ring](mbde-ring.md#here) and [](../book/verdicts.md)",
            "the ring and verdicts",
        ),
        ("[code](https://example.org/a.md)", "[code](https://example.org/a.md)"),
        ("$[0,1](x)$ and `{x}`", "$[0,1](x)$ and `{x}`"),
    ],
)
def test_roles_and_links_become_words(text, words):
    assert plain_words(text) == words


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a < b & **c** {claim}`X-1`", "a &lt; b &amp; <strong>c</strong> X-1"),
        ("$a*b*c<d$ and *so*", "$a*b*c&lt;d$ and <em>so</em>"),
        ("`x*y*z` costs 3*4", "<code>x*y*z</code> costs 3*4"),
        (
            "``a`b`` then $$\nx_1*x_2*x_3\n$$",
            "<code>a`b</code> then $$\nx_1*x_2*x_3\n$$",
        ),
        ("", ""),
    ],
)
def test_html_marks_words_and_leaves_formulas_and_code(text, markup):
    assert plain_html(text) == markup


CLAIM = {
    "id": "MBDE-L1",
    "kind": "lemma",
    "title": "Growth",
    "verdict": "holds",
    "grade": "exact",
    "corrected": False,
    "statement": "If $a\n<b$:\n\n$$\na\n<b\n$$",
    "hypotheses": [],
    "places": [],
}


def plain(address=lambda document: None):
    known = Known(
        claims={"MBDE-L1": CLAIM},
        sources={},
        values={"pears": {"n": "1,000"}},
        titles={"notebooks/pears": "Pears", "book/index": "A toy"},
        cites={"nobody2020": "Nobody (2020)"},
        address=address,
    )
    return PlainPage("apples", known)


def at_site(document):
    return f"https://example.org/{document}.html"


def test_values_claims_and_citations_are_written_out():
    text = (
        "{claim}`MBDE-L1` has {val}`pears:n`, {cite:t}`nobody2020`, {cite}`nobody2020`."
    )
    assert (
        plain().markdown(text) == "MBDE-L1 has 1,000, Nobody (2020), (Nobody (2020))."
    )


def test_links_are_absolute_where_the_site_is_known_else_words():
    text = (
        "[a *pear*](pears.md#top), [](pears.md), [](../book/index.md), "
        "[out](https://example.com/x.md)"
    )
    assert (
        plain().markdown(text)
        == "a *pear*, Pears, A toy, [out](https://example.com/x.md)"
    )
    assert plain(at_site).markdown(text) == (
        "[a *pear*](https://example.org/notebooks/pears.html#top), "
        "[Pears](https://example.org/notebooks/pears.html), "
        "[A toy](https://example.org/book/index.html), "
        "[out](https://example.com/x.md)"
    )


def test_a_card_is_a_quotation_in_which_each_formula_has_one_line():
    text = "Before\n```{claim-card} MBDE-L1\n```\nafter"
    assert plain().markdown(text) == (
        "Before\n\n> **MBDE-L1**, lemma: **Growth**. ✓ holds (exact, on instances)\n>\n"
        "> If $a <b$:\n>\n> $$ a <b $$\n\nafter"
    )


def test_what_breaks_is_said_of_refuted_claims_only():
    mended = {
        "breaks": "Step 2.",
        "counterexample": "$x=0$",
        "correction": "It shrinks.",
        "grade": None,
    }
    refuted = claim_text({**CLAIM, "verdict": "false", "corrected": True, **mended}, {})
    assert "✗ false as printed, corrected" in refuted
    assert (
        "*What breaks:* Step 2.\n\n*Counterexample:* $x=0$\n\n*Corrected "
        "statement:* It shrinks."
    ) in refuted
    seen = claim_text({**CLAIM, "verdict": "not-reproduced", **mended}, {})
    assert "*What our rerun shows:* It shrinks." in seen
    assert "Step 2." not in seen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "```{exercise} Why {val}`pears:n`?\n:label: ex-apples-1\nShow.\n```",
            "**Exercise: Why 1,000?**\n\nShow.",
        ),
        (
            "```{solution-start} ex-apples-1\n:class: dropdown\n```\nSo.\n",
            "**Solution.**\nSo.",
        ),
        ("So.\n```{solution-end}\n```", "So."),
        (":::{note}\nLook.\n:::", "\n> **Note**\n>\n> Look.\n"),
        (
            "````{admonition} One\n:class: tip\n\nA\n```{note} Two\nB\n```\n````",
            "\n> **One**\n>\n> A\n>\n> > **Two**\n> >\n> > B\n",
        ),
        ("````{dropdown} Proof\nQ\n````", "\n> **Proof**\n>\n> Q\n"),
        ("```python\nx = {1}\n```", "```python\nx = {1}\n```"),
    ],
)
def test_directives_have_a_plain_form(text, expected):
    assert plain().markdown(text) == expected.strip("\n")


def test_an_interactive_figure_is_named_with_its_address():
    text = "```{widget} name a/b\n:keep:\n```"
    assert "([on its page](https://example.org/notebooks/apples.html))" in plain(
        at_site
    ).markdown(text)
    assert "interactive figure (on its page); the figure above" in plain().markdown(
        text
    )


def test_claims_that_are_named_and_not_shown_are_listed():
    page = plain()
    page.markdown("{claim}`MBDE-L1` twice {claim}`MBDE-L1`")
    assert page.left_over().splitlines()[2:] == [
        "- **MBDE-L1** Growth: ✓ holds (exact, on instances)"
    ]
    page.markdown("```{claim-card} MBDE-L1\n```")
    assert page.left_over() == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ref}`there`", "no plain form is known of the role 'ref'"),
        (
            "```{scoreboard}\n```",
            "no plain form is known of the directive 'scoreboard'",
        ),
    ],
)
def test_what_has_no_plain_form_is_refused(text, message):
    with pytest.raises(CompanionError, match=message):
        plain().markdown(text)
