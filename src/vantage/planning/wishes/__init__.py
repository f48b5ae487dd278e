"""How wishes about homes are worded, and which things of a scene they mean; for interpreter and guard alike."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
