"""Serial chains: where they put the camera, how they get there, and how they move."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
