from .free_space import FreeSpace as FreeSpace
from .local_filling import filled_anew as filled_anew
from .occupancy import OccupancyGrid as OccupancyGrid
from .space_cache import cached_free_space as cached_free_space
from .voxel_grids import regions as regions
