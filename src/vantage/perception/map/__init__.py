"""Detections and depth of many views, kept together: the observed scene and the space that was seen."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
