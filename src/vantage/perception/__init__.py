"""What a camera sees: detections of objects and printed text, and the observed scene they build up."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
