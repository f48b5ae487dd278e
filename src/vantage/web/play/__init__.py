"""People as agents: a study, its seats and the pages on which they play."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
