"""Checks before a motion, routes around obstacles, and the watchdog that stops a motion."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
