from .catalog import (
    BRIGHT as BRIGHT,
    CATALOG as CATALOG,
    FIXTURES as FIXTURES,
    ObjectClass as ObjectClass,
    labels as labels,
    object_class as object_class,
)
from .fixtures import (
    DOOR_HEIGHT as DOOR_HEIGHT,
    DOOR_WIDTH as DOOR_WIDTH,
    WALL_THICKNESS as WALL_THICKNESS,
    WINDOW_HEIGHT as WINDOW_HEIGHT,
    WINDOW_WIDTH as WINDOW_WIDTH,
    slab as slab,
)
