from .ros_world import RosWorld as RosWorld, connect as connect
from .world_node import GROUPS as GROUPS, WorldNode as WorldNode
