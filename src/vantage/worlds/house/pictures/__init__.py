"""Pictures of a home: what is in sight of a camera, and how it is drawn."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
