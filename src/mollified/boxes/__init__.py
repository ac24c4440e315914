"""Boxes: private samplers between a public floor and a multiple of it."""

from mollified.boxes.box_sampler import BoxSampler, Certificate
from mollified.boxes.continuous_box import ContinuousBoxSampler
from mollified.boxes.floors import box_floor, box_regret
from mollified.boxes.projection import project

__all__ = [
    "BoxSampler",
    "Certificate",
    "ContinuousBoxSampler",
    "box_floor",
    "box_regret",
    "project",
]
