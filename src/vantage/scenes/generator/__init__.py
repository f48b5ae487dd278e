"""Furnished homes from a seed."""
