"""What every node needs: start and end, callbacks and job queues, parameters, topics, messages, diagnostics."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
