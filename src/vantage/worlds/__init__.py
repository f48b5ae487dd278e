"""Worlds in which a camera moves: splat scenes, rigs, and none at all; their protocol and limits."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
