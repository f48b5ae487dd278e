from .actions import ActionSpace as ActionSpace, GantryActions as GantryActions, make_actions as make_actions
from .needs import Need as Need, check_named_model as check_named_model, needs_of as needs_of
from .protocol import Agent as Agent
