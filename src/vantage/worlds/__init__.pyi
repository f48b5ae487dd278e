from .limits import MotionLimits as MotionLimits
from .opengl import GL_PACKAGES as GL_PACKAGES, gl_library as gl_library
from .protocol import (
    Changing as Changing,
    Described as Described,
    Kinematic as Kinematic,
    Overlooked as Overlooked,
    Supervised as Supervised,
    World as World,
    WorldInfo as WorldInfo,
    poses_of as poses_of,
)
from .splat import SplatWorld as SplatWorld
