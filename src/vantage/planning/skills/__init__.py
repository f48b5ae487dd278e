"""Skills of a mobile robot with a hand: going, opening, closing, picking, weighing, putting; from what was observed."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
