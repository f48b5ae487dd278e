from .capsules import segment_box as segment_box, segment_segment as segment_segment
from .collision_map import DepthMap as DepthMap, RoomMap as RoomMap, load_room as load_room
from .continuous_collision import (
    CLEAR as CLEAR,
    TOO_LONG as TOO_LONG,
    make_model as make_model,
    place as place,
    space_of as space_of,
    spacings as spacings,
    sweep as sweep,
    travels as travels,
)
