"""Boxes: the private samplers whose laws lie between a public floor and a multiple of it."""

from mollified.boxes.box_sampler import BoxSampler, Certificate, box_floor
from mollified.boxes.continuous_box import ContinuousBoxSampler
from mollified.boxes.projection import project

__all__ = ["BoxSampler", "Certificate", "ContinuousBoxSampler", "box_floor", "project"]
