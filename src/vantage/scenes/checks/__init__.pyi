from .building_checks import TOLERANCE as TOLERANCE, overlapping_rooms as overlapping_rooms
from .scene_checks import check_placement as check_placement
