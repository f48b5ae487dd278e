"""Homes whose things are opened, taken, put and switched in one go, by rules."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
