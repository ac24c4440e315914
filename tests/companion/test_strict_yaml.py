"""Numbers of YAML: `1e-4` is one, and what looks like one stays a text."""

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
