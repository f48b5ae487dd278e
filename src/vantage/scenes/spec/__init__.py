"""Specifications of scenes: what is where, in words and metres, and their files."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
