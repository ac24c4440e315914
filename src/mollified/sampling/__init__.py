"""Drawing samples: rejection, Metropolis, exact draws on finite spaces."""
