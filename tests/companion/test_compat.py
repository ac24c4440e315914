"""Private names of Sphinx and MyST that the book uses: an upgrade says what broke."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.mocking import MockState, MockStateMachine
from myst_parser.parsers.docutils_ import Parser
from myst_parser.parsers.mdit import create_md_parser

from companion.compat import highlighted, rendered, sections_within, solution_labels

TEXT = "# Inner\n\nWords.\n"


@pytest.fixture
def directive():
    """What a directive has of MyST, after a first section of the document."""
    parser = create_md_parser(MdParserConfig(), DocutilsRenderer)
    document = new_document("page", get_default_settings(Parser))
    parser.options["document"] = document
    parser.render("# Outer\n")
    state = MockState(parser.renderer, MockStateMachine(parser.renderer, 1), 1)
    return SimpleNamespace(state=state)


def headings(box):
    return [title.astext() for title in box.findall(nodes.title)]


def parse(directive, box):
    directive.state.nested_parse(TEXT.splitlines(), 0, box, match_titles=True)


def test_a_heading_within_becomes_a_section_of_the_box(directive):
    box = nodes.Element()
    with sections_within(directive, box):
        parse(directive, box)
    assert headings(box) == ["Inner"]


def test_without_it_the_section_leaves_the_box_so_that_it_is_needed(directive):
    box = nodes.Element()
    parse(directive, box)
    assert headings(box) == []


def test_the_levels_come_back_when_the_parser_fails(directive):
    with pytest.raises(ZeroDivisionError), sections_within(directive, nodes.Element()):
        raise ZeroDivisionError
    box = nodes.Element()
    parse(directive, box)
    assert headings(box) == [], "a section within the box again"


@pytest.fixture
def app(make_app, tmp_path):
    """A book of one page in Sphinx itself."""
    (tmp_path / "conf.py").write_text("", encoding="utf-8")
    (tmp_path / "index.rst").write_text("Title\n=====\n", encoding="utf-8")
    return make_app(tmp_path)


@pytest.fixture
def make_app():
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    with patch_docutils(), docutils_namespace():

        def make(folder):
            out = folder / "out"
            return Sphinx(folder, folder, out, out, "html", status=None, warning=None)

        yield make


def test_a_text_is_highlighted_as_a_block_of_it(app):
    app.build()
    html = highlighted(app, "a < b")
    assert html.startswith('<div class="highlight">')
    assert "a &lt; b" in html


def test_a_node_is_rendered_apart_from_its_page(app):
    app.build()
    words = nodes.paragraph("", "", nodes.strong("", "bold"))
    assert rendered(app, words).strip() == "<p><strong>bold</strong></p>"


def test_labels_of_solutions_are_those_that_references_read(app):
    named, anonymous = solution_labels(app)
    standard = app.env.get_domain("std")
    assert named is standard.labels
    assert anonymous is standard.anonlabels
