"""One world behind topics: any world that is registered, alone."""

from launch.actions import DeclareLaunchArgument, GroupAction, Shutdown
from launch.conditions import IfCondition
from launch.launch_description import LaunchDescription
from launch.substitutions import (
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    NotEqualsSubstitution,
    PathJoinSubstitution,
)
from launch_ros.actions import Node, SetParameter
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from vantage.registry import WORLDS

PACKAGE = "vantage_eqa"
ON_OFF = ["true", "false"]
CONFIG = IfElseSubstitution(
    EqualsSubstitution(LaunchConfiguration("world"), "house"), if_value="house.yaml", else_value="vantage.yaml"
)


def generate_launch_description() -> LaunchDescription:
    """The arguments and ``world_node``; the launch ends with the node."""
    scenes = LaunchConfiguration("scenes")
    use_sim_time = ParameterValue(LaunchConfiguration("use_sim_time"), value_type=bool)
    world_node = Node(
        package=PACKAGE,
        executable="world_node",
        output="screen",
        # A file that is missing here ends the node with a message; among `parameters` it would be left out silently.
        ros_arguments=["--params-file", LaunchConfiguration("config")],
        parameters=[
            {
                "world": ParameterValue(LaunchConfiguration("world"), value_type=str),
                "settings_of": ParameterValue(LaunchConfiguration("episodes"), value_type=str),
                "autostart": ParameterValue(LaunchConfiguration("autostart"), value_type=bool),
                "publish_clock": use_sim_time,
                "use_sim_time": use_sim_time,
            }
        ],
        sigterm_timeout="15",
        on_exit=Shutdown(reason="world_node ended"),
    )
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "world", default_value="splat", choices=WORLDS.names(), description="which world to serve"
            ),
            DeclareLaunchArgument(
                "scenes",
                default_value="",
                description="folder of scene folders, or one scene folder or splat file; "
                "empty: world.scenes of the configuration",
            ),
            DeclareLaunchArgument(
                "episodes",
                default_value="",
                description="folder of the episode set whose own sizes count; empty for those of the configuration",
            ),
            DeclareLaunchArgument(
                "rig",
                default_value="",
                description="file of the rig for world:=rig, or the name of one in config/rigs; "
                "empty: rig.file of the configuration",
            ),
            DeclareLaunchArgument(
                "rig_mode",
                default_value="",
                choices=["", "hardware", "emulated", "simulated"],
                description="what the rig is; empty: rig.mode of the configuration",
            ),
            DeclareLaunchArgument(
                "config",
                default_value=PathJoinSubstitution([FindPackageShare(PACKAGE), "config", CONFIG]),
                description="parameter file with the settings of all nodes; arguments given here override it; "
                "house.yaml for world:=house, vantage.yaml for others",
            ),
            DeclareLaunchArgument(
                "use_sim_time",
                default_value=NotEqualsSubstitution(LaunchConfiguration("world"), "rig"),
                choices=ON_OFF,
                description="the world's stamps are the time: it publishes /clock; a rig uses system time",
            ),
            DeclareLaunchArgument(
                "autostart",
                default_value="true",
                choices=ON_OFF,
                description="configure and activate the node without a lifecycle manager",
            ),
            GroupAction(
                [
                    SetParameter(
                        "world.scenes",
                        ParameterValue(scenes, value_type=str),
                        condition=IfCondition(NotEqualsSubstitution(scenes, "")),
                    ),
                    *(
                        SetParameter(
                            parameter,
                            ParameterValue(LaunchConfiguration(argument), value_type=str),
                            condition=IfCondition(NotEqualsSubstitution(LaunchConfiguration(argument), "")),
                        )
                        for argument, parameter in (("rig", "rig.file"), ("rig_mode", "rig.mode"))
                    ),
                    world_node,
                ]
            ),
        ]
    )
