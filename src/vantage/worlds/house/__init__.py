"""A home in MuJoCo: bodies to touch and to see, a mobile robot with an arm, and the world that they make."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
