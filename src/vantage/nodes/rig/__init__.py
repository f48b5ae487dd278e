"""Rig parts that are reached over ROS: the ros2_control driver, its emulator and the camera of image topics."""
