"""RViz with the layout of a search; needs rviz2 and a display."""

from launch.actions import DeclareLaunchArgument
from launch.launch_description import LaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

PACKAGE = "vantage_eqa"
ON_OFF = ["true", "false"]


def generate_launch_description() -> LaunchDescription:
    """The arguments and ``rviz2``."""
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "layout",
                default_value=PathJoinSubstitution([FindPackageShare(PACKAGE), "rviz", "search.rviz"]),
                description="RViz configuration file",
            ),
            DeclareLaunchArgument(
                "use_sim_time",
                default_value="true",
                choices=ON_OFF,
                description="take the time from /clock, as simulated worlds and replayed bags give it",
            ),
            Node(
                package="rviz2",
                executable="rviz2",
                output="screen",
                arguments=["-d", LaunchConfiguration("layout")],
                parameters=[{"use_sim_time": ParameterValue(LaunchConfiguration("use_sim_time"), value_type=bool)}],
            ),
        ]
    )
