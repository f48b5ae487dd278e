from .capabilities import Capability as Capability, capability_of as capability_of
from .guard import Guard as Guard
from .hiding import (
    closes as closes,
    instead_of_hidden as instead_of_hidden,
    keeps as keeps,
    may_open_to_look as may_open_to_look,
)
from .licences import Licences as Licences
from .permits import MANIPULATIONS_FOR as MANIPULATIONS_FOR, WarrantOffice as WarrantOffice
from .person_grants import GRANTS as GRANTS, grant_of_person as grant_of_person
from .robots import Robot as Robot, read_robot as read_robot, robot_names as robot_names
from .task_words import TaskWords as TaskWords
