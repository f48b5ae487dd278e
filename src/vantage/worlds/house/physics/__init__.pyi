from .hand import Hand as Hand, Stopped as Stopped
from .handles import nearest_part as nearest_part, turn_handle as turn_handle
from .motions import Outcome as Outcome, move_arm as move_arm, move_base as move_base
from .simulation import Simulation as Simulation
from .stepping import PhysicsError as PhysicsError
