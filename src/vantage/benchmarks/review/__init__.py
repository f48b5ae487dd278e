"""People accept or reject the items of a set on a page in the browser, and what they accepted becomes a set."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
