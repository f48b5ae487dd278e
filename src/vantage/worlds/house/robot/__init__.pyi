from .arm_kinematics import arm_of as arm_of, reachable_point as reachable_point, tool_pose as tool_pose
from .arm_paths import ArmPaths as ArmPaths, Goal as Goal
from .arm_rules import arm_fault as arm_fault
from .description import (
    BASE_LINK as BASE_LINK,
    FINGER_LINKS as FINGER_LINKS,
    HAND_LINK as HAND_LINK,
    HEAD_LINK as HEAD_LINK,
    HOME as HOME,
    TOOL_LINK as TOOL_LINK,
    RobotDescription as RobotDescription,
    T_world_base as T_world_base,
    load_robot as load_robot,
)
from .robot_bodies import (
    BASE_JOINTS as BASE_JOINTS,
    FORCE as FORCE,
    GRIPPER as GRIPPER,
    PREFIX as PREFIX,
    SITE_GROUP as SITE_GROUP,
    TORQUE as TORQUE,
    WRIST_SITE as WRIST_SITE,
    add_robot as add_robot,
)
from .standing import (
    WORLD_FRAME as WORLD_FRAME,
    at_home as at_home,
    base_of as base_of,
    stands_so as stands_so,
)
from .urdf import robot_urdf as robot_urdf
