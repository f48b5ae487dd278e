from .coverage import FREE as FREE, OCCUPIED as OCCUPIED, UNKNOWN as UNKNOWN, CoverageMap as CoverageMap
from .hand_memory import FormerPlace as FormerPlace
from .handles import ObservedHandle as ObservedHandle
from .insides import Inside as Inside
from .mass_interval import MassInterval as MassInterval
from .observed_scene import ObservedObject as ObservedObject, ObservedScene as ObservedScene, Place as Place
from .placement import Box as Box, Placement as Placement, may_rest as may_rest
from .rooms import ObservedRoom as ObservedRoom, room_at as room_at
from .scene_names import NamedScene as NamedScene, named_scene as named_scene, observed_facts as observed_facts
from .search_coverage import (
    UnsearchedPlace as UnsearchedPlace,
    possibly_mislabelled as possibly_mislabelled,
    unsearched_places as unsearched_places,
    unseen_doorways as unseen_doorways,
    unseen_walls as unseen_walls,
)
from .surface_inspection import CELL as CELL, Inspection as Inspection
