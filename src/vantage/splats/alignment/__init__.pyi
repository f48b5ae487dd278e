from .aligned_scene import place_in_world as place_in_world
from .capture import Capture as Capture, open_capture as open_capture
from .gravity import Alignment as Alignment, find_alignment as find_alignment
from .planes import Floats as Floats
