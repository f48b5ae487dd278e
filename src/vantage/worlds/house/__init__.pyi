from .arm_kinematics import arm_of as arm_of, tool_pose as tool_pose
from .arm_paths import ArmPaths as ArmPaths
from .bare_replay import BareReplay as BareReplay, Motion as Motion, MotionRecorder as MotionRecorder
from .cameras import HouseCamera as HouseCamera
from .conflicts import Conflicts as Conflicts
from .extra import require_mujoco as require_mujoco
from .homes import list_homes as list_homes, load_home as load_home
from .house_bodies import (
    FLOOR_BODY as FLOOR_BODY,
    HANDLE_IDS as HANDLE_IDS,
    MovingPart as MovingPart,
    body_name as body_name,
)
from .house_model import HouseModel as HouseModel, build_house as build_house
from .joint_runs import carried_by as carried_by, run_part as run_part
from .rest_check import (
    RestFault as RestFault,
    RestReport as RestReport,
    check_rest as check_rest,
    hand_reaches as hand_reaches,
)
from .robot import RobotDescription as RobotDescription, load_robot as load_robot
from .snapshots import house_picture as house_picture
from .world import HouseWorld as HouseWorld
