"""Executing notebooks, keeping what they gave, comparing it with what was accepted."""
