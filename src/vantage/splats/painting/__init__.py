"""Clouds from scene specifications."""
