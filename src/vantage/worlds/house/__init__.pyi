from .bare_replay import BareReplay as BareReplay, Motion as Motion, MotionRecorder as MotionRecorder
from .bodies.conflicts import Conflicts as Conflicts
from .bodies.house_bodies import (
    FLOOR_BODY as FLOOR_BODY,
    HANDLE_IDS as HANDLE_IDS,
    MovingPart as MovingPart,
    body_name as body_name,
)
from .bodies.house_model import HouseModel as HouseModel, build_house as build_house
from .checks.joint_runs import carried_by as carried_by, run_part as run_part
from .checks.rest_check import (
    RestFault as RestFault,
    RestReport as RestReport,
    check_rest as check_rest,
    hand_reaches as hand_reaches,
)
from .extra import require_mujoco as require_mujoco
from .homes import list_homes as list_homes, load_home as load_home
from .pictures.cameras import HouseCamera as HouseCamera
from .pictures.home_views import HomeViews as HomeViews, viewpoint_above as viewpoint_above
from .pictures.snapshots import house_picture as house_picture
from .robot.arm_kinematics import arm_of as arm_of, tool_pose as tool_pose
from .robot.arm_paths import ArmPaths as ArmPaths
from .robot.description import RobotDescription as RobotDescription, load_robot as load_robot
from .robot.standing import at_home as at_home, stands_so as stands_so
from .world import HouseWorld as HouseWorld
