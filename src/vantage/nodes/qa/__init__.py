"""``qa_node``, which answers questions about what the camera has seen, and the client that confirms its corrections."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
