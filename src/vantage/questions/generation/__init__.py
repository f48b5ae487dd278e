"""Questions about a scene graph, with gold answers, in everyday English."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
