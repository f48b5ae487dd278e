"""``world_node``, which serves a world over topics, and ``RosWorld``, which is that world for its clients."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
