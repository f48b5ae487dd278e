"""Shared data types: what agents see and say, what worlds take and give. Plain data, SI units, radians.

Stamps are integer nanoseconds on the world's clock.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
