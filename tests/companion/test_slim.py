"""A page does not load what it does not use."""

import pytest

from companion.paths import CompanionError
from companion.site.theme import without

HEAD = '<script defer src="../_static/scripts/icons.js?digest=1"></script>\n<script src="a.js"></script>\n'


def test_a_script_is_taken_out_of_a_head_once_and_never_in_vain():
    assert without(HEAD, "icons.js") == '<script src="a.js"></script>\n'
    with pytest.raises(CompanionError, match=r"expected to load other\.js once on a page, it does so 0 times"):
        without(HEAD, "other.js")
    with pytest.raises(CompanionError, match="2 times"):
        without(HEAD + HEAD, "icons.js")
