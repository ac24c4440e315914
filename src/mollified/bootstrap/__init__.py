"""Bootstrapping with pseudo-records: the instances on which the statements about it are checked."""
