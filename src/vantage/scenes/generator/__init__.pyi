from .drawn_homes import read_drawn_home as read_drawn_home
from .generator import generate_home as generate_home
from .home_layout import (
    LAYOUTS as LAYOUTS,
    MAX_ROOMS as MAX_ROOMS,
    MIN_ROOMS as MIN_ROOMS,
    USUAL_LAYOUT as USUAL_LAYOUT,
    HomeLayout as HomeLayout,
)
from .object_models import Model as Model, design_model as design_model, model_of as model_of
from .variation import can_be_picked_up as can_be_picked_up, is_loose as is_loose, varied as varied
