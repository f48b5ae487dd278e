"""Measurements, each against a named reference in the same run."""
