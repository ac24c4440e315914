"""Rejection and stopped chains: the instances on which the statements about them are checked."""
