"""Clouds of 3D Gaussians: files, rendering, free space, alignment, and synthesis from specifications."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
