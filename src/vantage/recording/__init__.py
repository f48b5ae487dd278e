"""What a run leaves behind: topics, messages, one bag per episode, and what a recorded episode says."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
