"""The guard between every model and the robot: rules on goals by the words of the task, the scene and the robot."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
