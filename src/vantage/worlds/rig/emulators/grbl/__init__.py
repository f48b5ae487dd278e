"""A controller that speaks the Grbl 1.1 dialect on a pseudo-terminal, in real time, with the faults of real ones."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
