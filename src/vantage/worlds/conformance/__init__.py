"""Conformance checks: whether a world, an arm included, keeps the promises of its protocol."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
