"""What a page does not use is left out, and nothing that it does use."""

from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from companion.paths import CompanionError
from companion.slim_icons import code_points, cut_font, only_cut_fonts
from companion.slim_styles import class_names, prune_styles, script_words
from companion.sphinx_slim import slim_folder, without

ICONS = {"sun": 0xF185, "moon": 0xF186, "ghost": 0xF6E2}


def test_selectors_of_unused_classes_are_left_out_one_by_one():
    sheet = ".a,.b{color:red}.b .a{top:0}p{margin:0}#id.a:hover>em{left:0}"
    assert prune_styles(sheet, {"a"}) == ".a{color:red}p{margin:0}#id.a:hover>em{left:0}"


@pytest.mark.parametrize(
    "selector", ["p:not(.gone)", ":is(.gone,p)", "[data-x=gone]", "html", "::selection", "a:hover"]
)
def test_what_does_not_ask_for_an_unused_class_stays(selector):
    assert prune_styles(f"{selector}{{top:0}}", set()) == f"{selector}{{top:0}}"


def test_rules_within_media_are_pruned_and_fonts_frames_and_licences_stay():
    sheet = (
        "/*! MIT */@media print{.a{top:0}.gone{top:0}}@media print{.gone{top:0}}@keyframes k{0%{top:0}}@font-face{a:b}"
    )
    kept = "/*! MIT */\n@media print{.a{top:0}}@keyframes k{0%{top:0}}@font-face{a:b}"
    assert prune_styles(sheet, {"a"}) == kept


def test_a_class_that_a_script_puts_together_stays():
    words = script_words("el.classList.add(`bs-${name}-auto`, 'show')", set())
    assert (
        prune_styles(".bs-tooltip-auto{top:0}.show{top:0}.hide{top:0}", words) == ".bs-tooltip-auto{top:0}.show{top:0}"
    )


def test_components_count_only_where_a_page_has_one():
    script = "'carousel-item' 'toast' 'show'"
    assert script_words(script, {"toast-header"}) == {"toast", "show"}


def test_escaped_names_of_classes_are_read():
    assert prune_styles(r".w\:3{top:0}", {"w:3"}) == r".w\:3{top:0}"
    assert prune_styles(r".w\:3{top:0}", {"w"}) == ""


def test_a_sheet_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="style sheet, line 1"):
        prune_styles(".a{top:0} .b", {"a"})


def test_class_names_in_both_quotes():
    assert class_names("""<p class="a b-c"><i class='d'>""") == {"a", "b-c", "d"}


@pytest.fixture
def font(tmp_path):
    """Return a font with three icons."""
    builder = FontBuilder(1024, isTTF=True)
    builder.setupGlyphOrder([".notdef", *ICONS])
    builder.setupCharacterMap({code: name for name, code in ICONS.items()})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((500, 0))
    pen.lineTo((500, 500))
    pen.closePath()
    glyph = pen.glyph()
    builder.setupGlyf({".notdef": glyph, **dict.fromkeys(ICONS, glyph)})
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", *ICONS), (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Icons", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    path = tmp_path / "icons.ttf"
    builder.save(path)
    return path


def test_a_font_is_cut_to_the_icons_wanted_and_twice_to_the_same_bytes(font):
    before = font.read_bytes()
    assert cut_font(font, {ICONS["sun"], 0xF000}) == 1
    first = font.read_bytes()
    assert set(TTFont(font).getBestCmap()) == {ICONS["sun"]}
    font.write_bytes(before)
    cut_font(font, {ICONS["sun"], 0xF000})
    assert font.read_bytes() == first
    assert len(first) < len(before)


def test_icons_are_found_in_sheets_and_in_pages():
    assert code_points(r'.x:before{content:"\f185"}', "\uf6e2") == {ICONS["sun"], ICONS["ghost"]}
    assert code_points(r'content:"\201c" \f1851') == set()


def test_only_the_cut_font_is_named():
    face = '@font-face{src:url(a.woff2) format("woff2"),url(a.ttf) format("truetype")}'
    assert only_cut_fonts(face) == '@font-face{src:url(a.ttf) format("truetype")}'
    alone = '@font-face{src:url(a.woff2) format("woff2")}'
    assert only_cut_fonts(alone) == alone


HEAD = '<script defer src="../_static/scripts/icons.js?digest=1"></script>\n<script src="a.js"></script>\n'


def test_a_script_is_taken_out_of_a_head_once_and_never_in_vain():
    assert without(HEAD, "icons.js") == '<script src="a.js"></script>\n'
    with pytest.raises(CompanionError, match=r"expected to load other\.js once on a page, it does so 0 times"):
        without(HEAD, "other.js")
    with pytest.raises(CompanionError, match="2 times"):
        without(HEAD + HEAD, "icons.js")


@pytest.fixture
def folder(tmp_path, font):
    """Return a folder of one page as a build leaves it."""
    static = tmp_path / "site" / "_static"
    (static / "scripts").mkdir(parents=True)
    (static / "fonts").mkdir()
    (tmp_path / "site" / "index.html").write_text('<p class="a"><i class="fa-sun"></i></p>', encoding="utf-8")
    sheet = (
        r'.a{top:0}.gone{top:0}.fa-sun:before{content:"\f185"}.fa-moon:before{content:"\f186"}'
        '@font-face{src:url(fonts/icons.woff2) format("woff2"),url(fonts/icons.ttf) format("truetype")}'
        "\n/*# sourceMappingURL=theme.css.map*/"
    )
    (static / "theme.css").write_text(sheet, encoding="utf-8")
    (static / "macros.html").write_text('<b class="gone">{% fontawesome.js %}</b>', encoding="utf-8")
    (static / "companion.css").write_text(".ours{top:0}", encoding="utf-8")
    (static / "theme.css.map").write_text("{}", encoding="utf-8")
    (static / "scripts" / "fontawesome.js").write_text("fa-moon", encoding="utf-8")
    (static / "scripts" / "theme.js").write_text("f()\n//# sourceMappingURL=theme.js.map", encoding="utf-8")
    (static / "fonts" / "icons.ttf").write_bytes(font.read_bytes())
    (static / "fonts" / "icons.woff2").write_bytes(b"other form")
    return tmp_path / "site"


def test_a_folder_keeps_what_its_pages_use(folder):
    slim_folder(folder)
    static = folder / "_static"
    left = sorted(path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file())
    assert left == ["companion.css", "fonts/icons.ttf", "macros.html", "scripts/theme.js", "theme.css"]
    sheet = (static / "theme.css").read_text(encoding="utf-8")
    assert sheet == (
        r'.a{top:0}.fa-sun:before{content:"\f185 "}@font-face{src:url(fonts/icons.ttf) format("truetype")}'
    )
    assert set(TTFont(static / "fonts" / "icons.ttf").getBestCmap()) == {ICONS["sun"]}
    assert (static / "companion.css").read_text(encoding="utf-8") == ".ours{top:0}"
    assert (static / "scripts" / "theme.js").read_text(encoding="utf-8") == "f()\n"


def test_the_script_of_the_icons_stays_where_a_page_loads_it(folder):
    (folder / "other.html").write_text('<script src="_static/scripts/fontawesome.js"></script>', encoding="utf-8")
    slim_folder(folder)
    assert (folder / "_static" / "scripts" / "fontawesome.js").is_file()
    assert "fa-moon" in (folder / "_static" / "theme.css").read_text(encoding="utf-8")


def test_a_folder_with_a_broken_sheet_is_refused(folder):
    (folder / "_static" / "bad.css").write_text(".a{top:0} .b", encoding="utf-8")
    with pytest.raises(CompanionError, match=r"_static/bad\.css: style sheet, line 1"):
        slim_folder(folder)


def test_the_theme_still_has_what_is_taken_out_of_it():
    import pydata_sphinx_theme

    theme = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme"
    layout = (theme / "layout.html").read_text(encoding="utf-8")
    assert layout.count("searchindex.js") == 1
    assert "fontawesome.js" in (theme / "static/webpack-macros.html").read_text(encoding="utf-8")
