"""The mobile robot with an arm: what it is, what its arm reaches, and its bodies."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
