from .aspects import LETTER as LETTER
from .claims import (
    claimed_contents as claimed_contents,
    claimed_places as claimed_places,
    goal_truth as goal_truth,
    unseen_places as unseen_places,
)
from .framing import (
    MOST_OFF_AXIS as MOST_OFF_AXIS,
    centred as centred,
    cut_off as cut_off,
    is_goal_view as is_goal_view,
    off_axis as off_axis,
)
from .home_moves import moved_home as moved_home
from .lattice import ViewLattice as ViewLattice
from .limited_ways import (
    ALL as ALL,
    HEIGHT as HEIGHT,
    LEVEL as LEVEL,
    PITCHED as PITCHED,
    ROTATION as ROTATION,
    START as START,
    WAYS as WAYS,
    AnsweringViews as AnsweringViews,
    LimitedWays as LimitedWays,
)
from .needed_visibility import needs_of as needs_of
from .oracle_views import (
    Label as Label,
    Oracle as Oracle,
    QuestionViews as QuestionViews,
    SceneLabeller as SceneLabeller,
    StartSettings as StartSettings,
    scene_lattice as scene_lattice,
)
from .place_sight import (
    FLOOR_REACH as FLOOR_REACH,
    FreeFloor as FreeFloor,
    PlaceShown as PlaceShown,
    PlaceSight as PlaceSight,
)
from .projection import box_in_image as box_in_image
from .raycast import Solids as Solids
from .rule_words import share_rule as share_rule, view_rule_text as view_rule_text
from .scene_world import LabelledPlace as LabelledPlace, SceneWorld as SceneWorld, open_scene_world as open_scene_world
from .visibility import SceneVisibility as SceneVisibility
from .visibility_settings import VisibilitySettings as VisibilitySettings
