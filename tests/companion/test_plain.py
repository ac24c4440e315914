"""MyST in plain words."""

from __future__ import annotations

import pytest

from companion.site.plain import plain_html, plain_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see {claim}`MBDE-L9`, {val}`a:b`", "see MBDE-L9, a:b"),
        ("{claim}`the bound <MBDE-L9>` holds", "the bound holds"),
        ("[the ring](mbde-ring.md#here) and [](../book/verdicts.md)", "the ring and verdicts"),
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
        ("``a`b`` then $$\nx_1*x_2*x_3\n$$", "<code>a`b</code> then $$\nx_1*x_2*x_3\n$$"),
        ("", ""),
    ],
)
def test_html_marks_words_and_leaves_formulas_and_code(text, markup):
    assert plain_html(text) == markup
