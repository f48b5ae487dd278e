"""Plans carried out: what a robot believes of its scene, and bodies that do one planned action after the other."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
