"""Compare DClip and its cost with the package invink: `python tools/beside_invink.py UTILS`, its file `utils.py`.

The package (GPL-3) is no dependency and nothing of it is kept here. As a whole the file needs Python 3.12 and a stack
for language models; the two functions that are compared are taken from it by name and run alone.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

NAMES = ("difference_clip", "compute_rho")


def functions(text: str) -> dict[str, Any]:
    """Return the functions of those names from the text of the file."""
    found: dict[str, Any] = {"np": np, "torch": SimpleNamespace(Tensor=())}
    for name in NAMES:
        match = re.search(rf"^def {name}\(.*?(?=^(?:def|class|#|@))", text, re.S | re.M)
        if match is None:
            raise ValueError(f"no function {name} in the file")
        exec("from __future__ import annotations\n" + match.group(), found)
    return found


def softmax(logits: Any) -> Any:
    """Return the law of logits."""
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


if __name__ == "__main__":
    theirs, rng, worst = functions(Path(sys.argv[1]).read_text(encoding="utf-8")), np.random.default_rng(1), 0.0
    for _ in range(1000):
        public, private = 3 * rng.standard_normal((2, 50))
        C = float(rng.uniform(0.1, 3))
        q = softmax(public)
        ours = q * np.exp(np.clip(private - public, -C, C))
        found = softmax(theirs["difference_clip"](private, public, C))
        worst = max(worst, float(np.abs(found - ours / ours.sum()).max()))
    print(f"DClip: largest distance {worst:.1e}")
    print(f"rho of one token: theirs {theirs['compute_rho'](1, 1.0, 4, 0.9):.6f}, ours {1 / (2 * 4**2 * 0.9**2):.6f}")
