"""What a home is built of and furnished with: classes of objects and the builders of their shapes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
