<<<<<<< HEAD
"""A home in MuJoCo: bodies to touch and to see, a mobile robot with an arm, and the world that they make."""
=======
"""A home in MuJoCo: bodies to touch, a mobile robot with an arm, and its motions."""
>>>>>>> i18-d

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
