"""The calibration of the view rule: frames around its thresholds, what readers tell of them, and what follows."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
