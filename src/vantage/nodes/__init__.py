"""ROS 2 nodes and clients: the only package that imports rclpy."""
