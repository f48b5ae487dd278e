"""Episodes as they run: the loop of agent and world, its events, processes, and many episodes at once."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
