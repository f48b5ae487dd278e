from .floor_plan import MAX_ROOMS as MAX_ROOMS, MIN_ROOMS as MIN_ROOMS
from .generator import generate_home as generate_home
from .object_models import Model as Model, design_model as design_model, model_of as model_of
