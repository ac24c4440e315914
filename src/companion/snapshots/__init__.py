"""Accepted data of figures: how far a run is from them, and how they are replaced."""
