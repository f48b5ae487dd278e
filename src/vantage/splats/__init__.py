"""Clouds of 3D Gaussians: files, rendering, free space, alignment, and synthesis from specifications."""
