"""Tasks in words become goals of a scene, or refusals, and goals become plans; nothing is carried out here."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
