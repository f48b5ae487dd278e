from .cameras import HouseCamera as HouseCamera
from .drawing import Picture as Picture, Pictures as Pictures, smaller as smaller
from .home_views import HomeViews as HomeViews, viewpoint_above as viewpoint_above
from .snapshots import house_picture as house_picture
