"""What the strict reader takes for a number, and what it refuses in every file."""

import pytest

from companion.ledger.strict_yaml import read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-4", 1e-4),
        ("1E5", 1e5),
        ("-1e-3", -1e-3),
        ("+2.5e+7", 2.5e7),
        (".5e1", 5.0),
        ("1.e2", 100.0),
        ("1.0e-4", 1e-4),
        ("0.25", 0.25),
        ("7", 7),
        ('"1e-4"', "1e-4"),
        ("1e", "1e"),
        ("e4", "e4"),
        ("1e-4x", "1e-4x"),
        ("MBDE-1e4", "MBDE-1e4"),
        ("1.2.3e4", "1.2.3e4"),
        ("1e4.5", "1e4.5"),
    ],
)
def test_a_number_with_an_exponent_is_a_number_and_a_text_a_text(tmp_path, text, value):
    path = tmp_path / "file.yml"
    path.write_text(f"value: {text}\n", encoding="utf-8")
    document, faults = read(path, {})
    assert faults == []
    assert document == {"value": value}
    assert type(document["value"]) is type(value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("tv: {rtol: .nan}", "tv: rtol: must be a finite number, got nan"),
        ("tv: {columns: {a: -.inf}}", "tv: columns: a: must be a finite number"),
        ("- {id: A, size: .inf}", "A: size: must be a finite number, got inf"),
        ("- [1, .NaN]", "entry 1: 1: must be a finite number"),
        (r'- {id: A, title: "At \epsilon"}', "A: title: a text has no control"),
        (r'title: "At \theta"', "title: a text has no control character, got U+0009"),
        (r'title: "\Lambda"', "title: a text has no control character, got U+2028"),
        (r'"\beta": 1', ": a text has no control character, got U+0008"),
    ],
)
def test_what_no_file_may_hold_is_refused_with_its_field(tmp_path, text, place):
    path = tmp_path / "file.yml"
    path.write_text(f"{text}\n", encoding="utf-8")
    (fault,) = read(path, {})[1]
    assert place in fault


def test_line_feeds_and_letters_of_any_language_are_no_control_characters(tmp_path):
    path = tmp_path / "file.yml"
    path.write_text("title: |-\n  Über ε\n\n  $\\epsilon$\n", encoding="utf-8")
    assert read(path, {}) == ({"title": "Über ε\n\n$\\epsilon$"}, [])
