"""Measurements and fault campaigns that need a running graph."""
