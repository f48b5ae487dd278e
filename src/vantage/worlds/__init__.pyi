from .limits import MotionLimits as MotionLimits
from .opengl import GL_PACKAGES as GL_PACKAGES, gl_library as gl_library
from .protocol import (
    Changing as Changing,
    Described as Described,
    Gated as Gated,
    Kinematic as Kinematic,
    Overlooked as Overlooked,
    Standing as Standing,
    Supervised as Supervised,
    World as World,
    WorldInfo as WorldInfo,
    poses_of as poses_of,
)
from .scene_views import (
    legend_of as legend_of,
    view_from_above as view_from_above,
    view_of as view_of,
)
from .splat import SplatWorld as SplatWorld
from .warrants import (
    GUARD as GUARD,
    KEY_SIZE as KEY_SIZE,
    MANIPULATIONS as MANIPULATIONS,
    MOVE_ARM as MOVE_ARM,
    PERSON as PERSON,
    PUT as PUT,
    SWITCH as SWITCH,
    TAKE as TAKE,
    Warrant as Warrant,
    WarrantError as WarrantError,
    WarrantFault as WarrantFault,
    WarrantIssuer as WarrantIssuer,
    countersigned as countersigned,
    person_warrant as person_warrant,
    require_signed as require_signed,
    signed as signed,
)
