"""Networks that are trained: classifiers for MBDE, private GANs."""
