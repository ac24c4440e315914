"""Mollifiers: the instances on which the statements about them are checked."""
