"""Cameras of rigs: Video4Linux devices, video files, splat scenes and mocks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
