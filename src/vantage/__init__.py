"""Embodied visual search and question answering, importable without ROS."""

__version__ = "0.1.0"
