"""The experiments of the papers and of this book, one module each, as pages and benchmarks run them.

v1 section 5 is in `line_experiment`, `ring_experiment`, `random_experiment`,
`contenders` and `gan_runs`; section 6 of the bootstrapping paper in
`bootstrap_experiments`. A page imports from the module that it needs, since most of
them load PyTorch. Functions here trust their callers: arguments are not checked.
"""
