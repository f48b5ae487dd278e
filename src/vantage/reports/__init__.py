"""Scores of recorded episodes as tables and pages, and rigs beside the models of their rooms."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
