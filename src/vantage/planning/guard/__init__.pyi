from .guard import Guard as Guard
from .robots import Robot as Robot, read_robot as read_robot, robot_names as robot_names
