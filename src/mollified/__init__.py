"""Private sampling with mollifiers: the mathematics of the companion book.

Import from the sub-package, for example ``from mollified.mollifiers import
RelativeMollifier``:

- ``laws``: laws, spaces, divergences, and the targets of the experiments;
- ``privacy``: mechanisms of the lecture, exact accounting, audits;
- ``sampling``: rejection, chains, and a sampler of integers alone;
- ``boxes``: samplers whose laws lie between a public floor and a multiple of it;
- ``mollifiers``: relative mollifiers and projections onto them;
- ``boosting``: MBDE and its bounds;
- ``bootstrap``: the private bootstrap, its theorems and its exact accounting;
- ``mechanisms``: histograms, and the contenders' mechanisms;
- ``training``: MBDE with networks, private GANs (loads PyTorch);
- ``experiments``: what the pages run; imported by module.

Each imports only from those above it. The modules ``instances`` are the vocabulary of
the pages' statements: they, and ``bootstrap.probabilities``, import the checker,
``statements``, which knows nothing of this package; all that computes with balls
imports its ``precision``. What a sub-package exports checks its arguments; all else
trusts its callers. This package knows nothing of books.
"""

from importlib.metadata import version

__all__ = ["__version__"]

#: The version of the distribution, which pyproject.toml states.
__version__ = version("mollified")
