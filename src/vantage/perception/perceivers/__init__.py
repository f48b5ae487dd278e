"""From one image to located detections: simulated, detected, named by a model, or read."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
