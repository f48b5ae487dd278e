"""What things look like before anything is painted: textures by name, print on labels, and the light of a room."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
