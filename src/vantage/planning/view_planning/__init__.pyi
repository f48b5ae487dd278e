from .end_views import ENOUGH as ENOUGH, EndView as EndView, Face as Face, Shown as Shown
from .information_gain import (
    REACH as REACH,
    SLACK as SLACK,
    Panorama as Panorama,
    closeness as closeness,
    facing as facing,
    near as near,
    steepness as steepness,
    surface_closeness as surface_closeness,
)
from .view_planner import Goal as Goal, ViewPlanner as ViewPlanner
