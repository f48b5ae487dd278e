"""The check of a connected rig: that it moves, sees and stops as it should."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
