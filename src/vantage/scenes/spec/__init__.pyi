from .outlines import (
    Box as Box,
    Corner as Corner,
    Wall as Wall,
    crosses_itself as crosses_itself,
    holds as holds,
    inset as inset,
    points_inside as points_inside,
    polygon as polygon,
    sides as sides,
    signed_area as signed_area,
)
from .palette import (
    COLORS as COLORS,
    MATERIALS as MATERIALS,
    blend as blend,
    nearest_color as nearest_color,
    shade as shade,
)
from .room_map import RoomMap as RoomMap, rooms_of as rooms_of
from .spec import (
    AXES as AXES,
    FACES as FACES,
    OPENINGS as OPENINGS,
    OPPOSITES as OPPOSITES,
    PRINT_FACES as PRINT_FACES,
    STRUCTURE_LABELS as STRUCTURE_LABELS,
    Color as Color,
    Joint as Joint,
    ObjectSpec as ObjectSpec,
    Opening as Opening,
    Part as Part,
    RoomSpec as RoomSpec,
    SceneSpec as SceneSpec,
    object_bounds as object_bounds,
    part_reach as part_reach,
    turned_reach as turned_reach,
)
from .spec_checks import (
    check_box as check_box,
    check_id as check_id,
    check_label as check_label,
    check_parents as check_parents,
    check_rooms as check_rooms,
    check_spec as check_spec,
    check_words as check_words,
)
from .spec_file import (
    SPEC_SCHEMA as SPEC_SCHEMA,
    load_spec as load_spec,
    room_from_json as room_from_json,
    room_to_json as room_to_json,
    save_spec as save_spec,
    spec_from_json as spec_from_json,
    spec_to_json as spec_to_json,
)
