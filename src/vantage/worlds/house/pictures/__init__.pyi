from .cameras import HouseCamera as HouseCamera
from .drawing import Picture as Picture, Pictures as Pictures, smaller as smaller
from .snapshots import house_picture as house_picture
