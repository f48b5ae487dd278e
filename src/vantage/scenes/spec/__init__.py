"""Specifications of scenes: what is where, in words and metres, and their files."""
