"""Gravity, floor and scale of captures."""
