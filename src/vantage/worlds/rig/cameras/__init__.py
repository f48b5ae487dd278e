"""Cameras of rigs: Video4Linux devices, video files, splat scenes and mocks."""
