"""Name the profiles: `quick` to read and test, `paper` for the sizes of the papers."""

from __future__ import annotations

from companion.paths import CompanionError

PROFILES = ("quick", "paper")
DEFAULT = "quick"


def check_profile(name: str) -> str:
    """Return the name of a profile; raise CompanionError that lists the known ones."""
    if name not in PROFILES:
        raise CompanionError(f"unknown profile {name!r}; known: {', '.join(PROFILES)}")
    return name
