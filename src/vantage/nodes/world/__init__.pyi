from .ros_world import RosWorld as RosWorld, connect as connect
from .signed_commands import is_signed as is_signed, sign_command as sign_command
from .warrant_client import (
    Granted as Granted,
    WarrantClient as WarrantClient,
    open_warrant_client as open_warrant_client,
)
from .warrant_desk import read_warrant as read_warrant, warrant_message as warrant_message
from .world_node import GROUPS as GROUPS, WorldNode as WorldNode
