from .house_model import (
    HANDLE_IDS as HANDLE_IDS,
    HouseModel as HouseModel,
    MovingPart as MovingPart,
    body_name as body_name,
    build_house as build_house,
)
from .robot import RobotDescription as RobotDescription, load_robot as load_robot
