from .from_spec import (
    cloud_from_spec as cloud_from_spec,
    cloud_of_objects as cloud_of_objects,
    coarseness as coarseness,
    in_words as in_words,
    make_scene as make_scene,
    save_home as save_home,
)
from .lighting import Lighting as Lighting
from .voxels import SceneVoxels as SceneVoxels
