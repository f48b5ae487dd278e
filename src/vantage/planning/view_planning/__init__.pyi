from .information_gain import Panorama as Panorama, closeness as closeness, near as near, steepness as steepness
from .view_planner import Goal as Goal, ViewPlanner as ViewPlanner
