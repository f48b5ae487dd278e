"""Questions with false premises, by NoisyEQA's taxonomy, and the same questions with true ones."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
