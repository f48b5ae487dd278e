"""What a task asks of a scene: facts, goals and their temporal order, as plain data that scorers and guards share."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
