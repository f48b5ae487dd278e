"""Whether a home stands still, its joints run, and the robot gets about in it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
