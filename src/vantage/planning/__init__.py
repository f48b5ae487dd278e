"""Where to go and what to do next: agents, the choice of views, and how steps are counted."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
