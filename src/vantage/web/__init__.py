"""Pages in the browser: a server with one gate, and what its pages show. Needs the extra ``web``."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
