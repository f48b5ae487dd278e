"""Clouds from and to files."""
