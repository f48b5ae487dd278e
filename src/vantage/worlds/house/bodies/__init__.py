"""A home as bodies of MuJoCo: what is touched, what moves, and the compiled model."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
