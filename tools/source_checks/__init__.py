"""Checks of the sources as text: each file is parsed once, nothing of the project is imported."""
