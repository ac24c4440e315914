"""The experiments of the papers and of this book, as pages and benchmarks run them.

A page imports from the module that it needs, since most of them load PyTorch. Functions
here trust their callers: arguments are not checked. What they return are tables of
pandas, a row a run or a law, or frozen dataclasses of them.

What experiments share:

- `task_list`: sweeps as independent, separately seeded tasks.
- `mbde_sweep`: MBDE's variants over budgets and seeds, on each domain.
- `metrics`: what is measured of a run.
- `dpb_settings`: the Bernstein mechanism ("DPB") on the domains.

The papers' experiments:

- `line_experiment`, `ring_experiment`, `random_experiment`, `random_plane`: v1 section
  5, on each domain.
- `contenders`, `dpb_rivals`, `gan_runs`, `comparison`: DPB and private GANs.
- `bootstrap_experiments`: section 6 of the bootstrapping paper.

This book's:

- `variant_runs`, `hard_pairs`: the readings of MBDE, and what they spend.
- `open_settings`, `optimisers`: what the papers leave open.
- `information_limit`, `reference_worth`, `ring_explorer`: what limits a gain.
- `bootstrap_worth`: releases of data by the bootstrapping mechanism.
"""
