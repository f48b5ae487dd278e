from .arm import arm_poses as arm_poses, joint_positions as joint_positions
from .assembly import Assembly as Assembly, assemble as assemble
from .camera import Camera as Camera, Frame as Frame
from .clock import Clock as Clock, SystemClock as SystemClock
from .description import (
    RigDescription as RigDescription,
    SafetyRules as SafetyRules,
    load_rig as load_rig,
    origin as origin,
    read_chain as read_chain,
    read_safety as read_safety,
    rig_file as rig_file,
)
from .parts import Emulator as Emulator, RigParts as RigParts
