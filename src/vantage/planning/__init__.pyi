from .actions import (
    OFFSETS as OFFSETS,
    PITCH as PITCH,
    YAW as YAW,
    ActionSpace as ActionSpace,
    GantryActions as GantryActions,
    Offset as Offset,
    make_actions as make_actions,
    rotations as rotations,
)
from .needs import Need as Need, check_named_model as check_named_model, needs_of as needs_of
from .protocol import Agent as Agent
