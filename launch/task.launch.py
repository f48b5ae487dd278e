"""One task in words, carried out in a scene: the whole graph, and who asks it; both end with the task.

::

    ros2 launch vantage_eqa task.launch.py scenes:=HOMES scene:=NAME task:='Close the fridge.'
"""

from launch.actions import DeclareLaunchArgument, ExecuteProcess, IncludeLaunchDescription, Shutdown
from launch.launch_description import LaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from vantage.registry import AGENTS, PERCEIVERS, WORLDS

PACKAGE = "vantage_eqa"
OF_SEARCH = ["world", "agent", "perception", "model", "scenes", "out"]


def generate_launch_description() -> LaunchDescription:
    """The arguments, the graph, and the process that asks for the task, prints what became of it, and ends all."""
    ask = ["vantage", "up", "--join"]
    for argument in ("world", "agent", "perception", "model", "scene", "task"):
        ask += [f"--{argument}", LaunchConfiguration(argument)]
    return LaunchDescription(
        [
            DeclareLaunchArgument("task", default_value="", description="what is to be done, in words"),
            DeclareLaunchArgument("scene", default_value="", description="name of the scene, or its path"),
            DeclareLaunchArgument(
                "world", default_value="splat", choices=WORLDS.names(), description="which world to serve"
            ),
            DeclareLaunchArgument(
                "agent", default_value="doer", choices=AGENTS.names(), description="who carries the task out"
            ),
            DeclareLaunchArgument(
                "perception",
                default_value="privileged",
                choices=PERCEIVERS.names(),
                description="the perceiver through which it sees",
            ),
            DeclareLaunchArgument(
                "model",
                default_value="symbolic",
                description="who interprets the task: symbolic, or NAME:WHICH such as openai:llama",
            ),
            DeclareLaunchArgument("scenes", default_value="", description="folder of scene folders, or one of them"),
            DeclareLaunchArgument("out", default_value="bags", description="folder for the bags"),
            IncludeLaunchDescription(
                PathJoinSubstitution([FindPackageShare(PACKAGE), "launch", "search.launch.py"]),
                launch_arguments={name: LaunchConfiguration(name) for name in OF_SEARCH}.items(),
            ),
            ExecuteProcess(
                cmd=[*ask, "--set", ["world.scenes=", LaunchConfiguration("scenes")]],
                output="screen",
                on_exit=Shutdown(reason="the task ended"),
            ),
        ]
    )
