"""Rigs of motors, cameras and arms: assembled from a file, driven, supervised and simulated."""
