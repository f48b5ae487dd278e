"""Thresholds of the view rule for the small pictures of tests."""

from vantage.benchmarks.labelling import VisibilitySettings

SMALL_PICTURES = VisibilitySettings(
    pixels=10.0, colour_pixels=10.0, material_pixels=10.0, count_pixels=10.0, state_pixels=30.0
)
