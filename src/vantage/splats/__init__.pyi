from .cloud import GaussianCloud as GaussianCloud
from .cloud_report import SCALE_PERCENTILES as SCALE_PERCENTILES, CloudReport as CloudReport, report as report
from .compose import Crop as Crop, Placement as Placement, stand_object as stand_object
from .harmonics import COEFFICIENTS as COEFFICIENTS
from .home import Home as Home, is_unpainted as is_unpainted, load_home as load_home
from .moving_cloud import (
    Move as Move,
    MovingCloud as MovingCloud,
    Region as Region,
    Rows as Rows,
    moved_parts as moved_parts,
    what_is_missing as what_is_missing,
)
from .scene import SplatScene as SplatScene
from .scene_description import SCENE_FILE as SCENE_FILE, read_description as read_description
from .scene_file import (
    CLOUD_FILE as CLOUD_FILE,
    GRAPH_FILE as GRAPH_FILE,
    SPEC_FILE as SPEC_FILE,
    credited as credited,
    find_scene as find_scene,
    is_cloud as is_cloud,
    list_scenes as list_scenes,
    load_graph as load_graph,
    load_object as load_object,
    load_scene as load_scene,
    save_scene as save_scene,
    scene_start as scene_start,
)
from .upright import UP_AXES as UP_AXES, axis_of as axis_of, nearest_axis as nearest_axis, turning as turning
