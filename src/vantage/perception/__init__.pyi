from .label_confusions import alike as alike, mixed_up as mixed_up
from .object_categories import (
    BUILDING as BUILDING,
    CLOSABLE as CLOSABLE,
    CONTAINERS as CONTAINERS,
    FOLDING as FOLDING,
    HANGING as HANGING,
    HEAVY as HEAVY,
    HIGH as HIGH,
    LARGE as LARGE,
    LIDDED as LIDDED,
    LIMP as LIMP,
    OPENINGS as OPENINGS,
    ROOFED as ROOFED,
    SHELVES as SHELVES,
    SOFT as SOFT,
    WALLS as WALLS,
    usual_places as usual_places,
)
from .print_spot import PrintSpot as PrintSpot
from .protocol import BlindPerceiver as BlindPerceiver, Perceiver as Perceiver, asked_model as asked_model
