"""MBDE, boosted density estimation in a mollifier, and its bounds."""
