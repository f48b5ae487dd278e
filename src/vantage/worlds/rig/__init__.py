"""Rigs of motors, cameras and arms: assembled from a file, driven, supervised and simulated."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
