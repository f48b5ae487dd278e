"""How a home looks: the painted surfaces of its things, in the light of its rooms."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
