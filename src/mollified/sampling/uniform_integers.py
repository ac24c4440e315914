"""Draw integers that are exactly uniform, from random bytes."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mollified._validate import check_callable, check_count, describe, echo

__all__ = ["uniform_integers"]

#: The bytes of a word, and the largest number of values.
WORD = 8
MOST_VALUES = 1 << 62


def _words(count: int, random_bytes: Callable[[int], bytes]) -> NDArray[np.uint64]:
    size = WORD * count
    answer = random_bytes(size)
    if not isinstance(answer, bytes) or len(answer) != size:
        raise ValueError(
            f"random_bytes must return {size} bytes when asked for them, got a "
            f"{describe(answer)}"
        )
    return np.frombuffer(answer, dtype="<u8")


def uniform_integers(
    below: int,
    count: int,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
) -> NDArray[np.int64]:
    """Return independent uniform integers in 0..below-1, shape (count,).

    They are exactly uniform where the bytes are. Words of as many bits as `below`
    needs, those that are too large drawn again. Raises ValueError or TypeError for
    below outside 1..2^62, count < 1, or random_bytes that is not callable or returns
    something else.
    """
    below = check_count("below", below)
    count = check_count("count", count)
    check_callable("random_bytes", random_bytes)
    if below > MOST_VALUES:
        raise ValueError(f"below must be at most 2^62, got {echo('below', below)}")
    mask = np.uint64((1 << (below - 1).bit_length()) - 1)
    accepted: list[NDArray[np.uint64]] = []
    missing = count
    while missing:
        words = _words(missing, random_bytes) & mask
        accepted.append(words[words < below])
        missing -= accepted[-1].size
    return np.concatenate(accepted).astype(np.int64)
