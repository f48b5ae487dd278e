"""Review of episode sets in the browser: people accept, edit or reject items without seeing one another."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
