"""Every sentence of accuracy in a public docstring is held by a test, or excused with a
reason.
"""

import importlib
import inspect
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.accuracy import SENTENCES

PACKAGES = (
    "boosting",
    "bootstrap",
    "boxes",
    "laws",
    "mollifiers",
    "privacy",
    "mechanisms",
    "sampling",
    "training",
)
#: What makes a sentence one of accuracy.
ACCURACY = re.compile(
    r"\berr(s|ors?)?\b|\bwithin\b|certif|\bexact(ly|ness)?\b|\brelatively\b"
    r"|\bround(ed|ing)\b|\bmiss(es)?\b|\bresidual|\bulps?\b|\bdigits\b|\b1e-\d"
    r"|10\^\{-\d|just above|by construction|by less than|never negative",
    re.IGNORECASE,
)
FORMULA = re.compile(r"\$[^$]*\$|`[^`]*`|\([^()]*\)")
#: Sentences that have a word of accuracy and state none: by name and beginning, with
#: the reason.
EXCUSED = {
    (
        "boxes.ContinuousBoxSampler.draw",
        "Raises ValueError or TypeError for other arguments: an error",
    ): "an exception",
    (
        "laws.Discrete.sample",
        "Idealised numerics:",
    ): "points to another class, whose own sentence is held",
    (
        "laws.Distribution",
        "Describe a distribution",
    ): "a protocol: others implement it, each with its own sentences",
    (
        "laws.Integral",
        "Hold the value",
    ): "a pair of numbers; those who make it say how they err",
    ("mollifiers.repair_error", "`error` is"): "the name of an argument",
}

for path in sorted(Path(__file__).parent.glob("test_*.py")):
    if path.stem != "test_walk":
        importlib.import_module(f"tests.accuracy.{path.stem}")


def sentences(docstring):
    """Return the sentences of a docstring, each in one line.

    A full stop in a formula or in brackets ends none.
    """
    result = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(docstring or "")):
        if paragraph.startswith(">>>"):
            continue
        whole = " ".join(paragraph.split())
        hidden = FORMULA.sub(lambda formula: "\0" * len(formula.group()), whole)
        ends = [
            0,
            *(gap.end() for gap in re.finditer(r"(?<=\.)\*{0,2} ", hidden)),
            len(whole),
        ]
        result += [whole[start:end].strip() for start, end in pairwise(ends)]
    return result


def members(owner):
    """Return the public methods and properties of a class of ours, by name."""
    for key in dir(owner):
        value = inspect.getattr_static(owner, key)
        value = (
            getattr(value, "fget", None)
            or getattr(value, "func", None)
            or getattr(value, "__func__", value)
        )
        if not key.startswith("_") and getattr(value, "__module__", "").startswith(
            "mollified."
        ):
            yield key, value


def own_words(owner):
    """Return the docstring of a class with those of its own special methods.

    They have no other name.
    """
    special = [
        value
        for key, value in vars(owner).items()
        if key.startswith("__") and inspect.isfunction(value)
    ]
    written = [
        value.__doc__
        for value in special
        if value.__module__ == owner.__module__ and value.__doc__
    ]
    return "\n\n".join(map(inspect.cleandoc, [owner.__doc__ or "", *written]))


def documented(package):
    """Return the docstrings of all that a package exports, and of public members, by
    name.
    """
    module = importlib.import_module(f"mollified.{package}")
    result = {}
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value):
            result[f"{package}.{name}"] = own_words(value)
            result |= {
                f"{package}.{name}.{key}": member.__doc__
                for key, member in members(value)
            }
        elif inspect.isroutine(value):
            result[f"{package}.{name}"] = value.__doc__
    return result


def begins(sentence, beginnings):
    return any(
        sentence.startswith(" ".join(beginning.split())) for beginning in beginnings
    )


def excused(name):
    return [beginning for known, beginning in EXCUSED if known == name]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_sentence_of_accuracy_is_held(package):
    missing = [
        f"{name}: {sentence}"
        for name, text in documented(package).items()
        for sentence in sentences(text)
        if ACCURACY.search(sentence)
        and not begins(sentence, [*SENTENCES.get(name, []), *excused(name)])
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_registered_sentence_is_in_its_docstring(package):
    texts = documented(package)
    wanted = [
        (name, beginning) for name, list_ in SENTENCES.items() for beginning in list_
    ] + list(EXCUSED)
    stale = [
        (name, beginning)
        for name, beginning in wanted
        if name.split(".")[0] == package
        and not any(
            begins(sentence, [beginning]) for sentence in sentences(texts.get(name))
        )
    ]
    assert not stale


def test_names_that_are_registered_belong_to_a_package():
    assert {
        name.split(".")[0] for name in [*SENTENCES, *(name for name, _ in EXCUSED)]
    } <= set(PACKAGES)


def test_sentences_and_their_words_by_hand():
    text = r"""Return x, rounded up. Errs by $1.5\ \cdot 2$ (see v1. Or v2).

    Nothing here. **Exact.** Then
    it misses.

    >>> 1 / 3  # within
    """
    result = sentences(text)
    assert result[:2] == [
        "Return x, rounded up.",
        r"Errs by $1.5\ \cdot 2$ (see v1. Or v2).",
    ]
    assert result[2:] == ["Nothing here.", "**Exact.**", "Then it misses."]
    assert [bool(ACCURACY.search(sentence)) for sentence in result] == [
        True,
        True,
        False,
        True,
        True,
    ]
    assert not ACCURACY.search("Raises ValueError or TypeError for other arguments.")
