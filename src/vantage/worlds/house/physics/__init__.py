"""Time in a home: steps of the physics, motions of the base, the arm, the hand, and of what it opens."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
