"""From English to programs: tokens, then noun phrases and what is said of them, then forms of questions."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
