"""Laws: finite, Gaussian, mixtures, on grids; their spaces, targets and divergences."""
