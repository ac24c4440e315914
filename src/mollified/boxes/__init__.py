"""Boxes: the private samplers whose laws lie between a public floor and a multiple of it."""
