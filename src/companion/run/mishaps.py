"""Say in plain words what to do when the machine, not the book, is at fault: a full disk, a kernel that was killed."""

from __future__ import annotations

import errno
import os

__all__ = ["advice", "is_mishap"]

#: What the system says of a mishap, and what helps.
_ADVICE = {
    errno.ENOSPC: "The disk is full. Free some space and run the command again: what was finished is kept.",
    errno.EDQUOT: "Your share of the disk is used up. Free some space and try again: what was finished is kept.",
    errno.EROFS: "The disk cannot be written to. Work in a copy of the book on one that can.",
    errno.EACCES: "A file or folder may not be written or read. Look at its owner and its rights, then try again.",
    errno.ENOMEM: "Memory ran out. Run fewer notebooks side by side with JOBS=1.",
}
_KILLED = (
    "A kernel that dies without a traceback was mostly ended from outside, often because memory ran out. Run the "
    "command again, with JOBS=1 where memory is short: what was finished is kept."
)


def is_mishap(error: OSError) -> bool:
    """Return whether an error of the system is one that `advice` has words for."""
    return error.errno in _ADVICE


def advice(text: str) -> list[str]:
    """Return what helps against the mishaps that an error message or a traceback names, none for any other text."""
    found = [words for number, words in _ADVICE.items() if os.strerror(number) in text]
    return found + [_KILLED] * ("kernel died" in text)
