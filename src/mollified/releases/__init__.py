"""Other mechanisms that release densities and data: Bernstein, histograms, KS-exponential."""
