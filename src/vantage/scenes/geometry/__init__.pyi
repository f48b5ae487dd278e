from .design import (
    CUP as CUP,
    DARK as DARK,
    DIRT as DIRT,
    GLASS as GLASS,
    LEAF as LEAF,
    OAK as OAK,
    PAPER as PAPER,
    STEEL as STEEL,
    TUBE as TUBE,
    WATER as WATER,
    WHITE as WHITE,
    Builder as Builder,
    Design as Design,
    Style as Style,
    Surface as Surface,
    ball as ball,
    box as box,
    disc as disc,
    hinge as hinge,
    label as label,
    legs as legs,
    length as length,
    named as named,
    opened as opened,
    panel as panel,
    rod as rod,
    scaled as scaled,
    sleeve as sleeve,
    slide as slide,
    surface as surface,
)
from .first_views import first_view as first_view
from .handles import Handle as Handle, handle_of as handle_of
from .hidden_faces import covered_faces as covered_faces
from .masses import (
    estimated_mass as estimated_mass,
    known_masses as known_masses,
    matter_of as matter_of,
    part_mass as part_mass,
)
from .movement import closed_parts as closed_parts, moved as moved, posed as posed
from .reachability import (
    BODY_RADIUS as BODY_RADIUS,
    EYE_HEIGHT as EYE_HEIGHT,
    SHIN_HEIGHT as SHIN_HEIGHT,
    FreeMap as FreeMap,
    free_floor as free_floor,
    free_map as free_map,
    parted_rooms as parted_rooms,
    reachable_area as reachable_area,
)
from .relations import (
    GEOMETRIC as GEOMETRIC,
    SIDES as SIDES,
    between as between,
    gap as gap,
    measure as measure,
    related as related,
    ruled_out as ruled_out,
)
from .seating import Seat as Seat, can_hold as can_hold, seat_beside as seat_beside, seat_of as seat_of
from .solids import Array as Array, Outline as Outline, Shape as Shape, Solid as Solid, outlines_gap as outlines_gap
from .support import supports as supports
from .visible_colors import color_shares as color_shares
