from .conflicts import Conflicts as Conflicts
from .grasp_bodies import (
    HELD_BIT as HELD_BIT,
    REACH as REACH,
    REACH_RADIUS as REACH_RADIUS,
    WELD as WELD,
    tension as tension,
    tie as tie,
    untie as untie,
)
from .house_bodies import (
    FLOOR_BODY as FLOOR_BODY,
    HANDLE_IDS as HANDLE_IDS,
    TOUCH_GROUP as TOUCH_GROUP,
    MovingPart as MovingPart,
    body_name as body_name,
)
from .house_model import HouseModel as HouseModel, build_house as build_house
from .settling import displacements as displacements
