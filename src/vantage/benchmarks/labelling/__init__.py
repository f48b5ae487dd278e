"""What views really show of objects, from geometry alone, and which views answer a question."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
