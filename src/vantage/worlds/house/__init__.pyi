from .robot import RobotDescription as RobotDescription, load_robot as load_robot
