"""Recorded runs played again into question answering and a fresh evaluation; it stays up for questions until Ctrl-C."""

from __future__ import annotations

from launch.action import Action
from launch.actions import (
    DeclareLaunchArgument,
    IncludeLaunchDescription,
    RegisterEventHandler,
    Shutdown,
    TimerAction,
)
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch.launch_context import LaunchContext
from launch.launch_description import LaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from vantage.registry import PERCEIVERS

PACKAGE = "vantage_eqa"
ON_OFF = ["true", "false"]
MODES = ["plain", "nap", "nacot"]
# What question answering made of the recorded run gives way to what it makes of the replay.
ASIDE = [(topic, f"recorded/{topic}") for topic in ("camera/detections", "noise_report")]


def parameter(argument: str, kind: type = str) -> ParameterValue:
    """An argument as a parameter of one type, whatever it looks like."""
    return ParameterValue(LaunchConfiguration(argument), value_type=kind)


def node(executable: str, **parameters: ParameterValue) -> Node:
    """A node of this package, without which the launch ends; ``__`` in a name stands for a dot."""
    return Node(
        package=PACKAGE,
        executable=executable,
        output="screen",
        # A file that is missing here ends the node with a message; among `parameters` it would be left out silently.
        ros_arguments=["--params-file", LaunchConfiguration("config")],
        parameters=[{name.replace("__", "."): value for name, value in parameters.items()}],
        sigterm_timeout="15",
        on_exit=Shutdown(reason=f"{executable} ended"),
    )


def end_on_failure(event: ProcessExited, context: LaunchContext) -> list[Action]:
    """The player leaves when all is played; one that failed takes the launch with it."""
    return [Shutdown(reason="replay_node failed")] if event.returncode != 0 else []


def generate_launch_description() -> LaunchDescription:
    """The arguments, three nodes and, on request, RViz."""
    use_sim_time = parameter("use_sim_time", bool)
    player = Node(
        package=PACKAGE,
        executable="replay_node",
        output="screen",
        parameters=[{"bag": parameter("bag"), "rate": parameter("rate", float)}],
        remappings=ASIDE,
        sigterm_timeout="15",
    )
    return LaunchDescription(
        [
            DeclareLaunchArgument("bag", default_value="bags", description="a bag or a folder of bags"),
            DeclareLaunchArgument("rate", default_value="1.0", description="speed, as a multiple of the recorded one"),
            DeclareLaunchArgument(
                "delay", default_value="4.0", description="time for the other nodes to be there before it plays, s"
            ),
            DeclareLaunchArgument(
                "perception",
                default_value="privileged",
                choices=PERCEIVERS.names(),
                description="the perceiver through which question answering sees; "
                "privileged needs bags with instance images (run.record_instances)",
            ),
            DeclareLaunchArgument(
                "model",
                default_value="symbolic",
                description="who answers: symbolic, or NAME:WHICH such as openai:llama or transformers:FOLDER",
            ),
            DeclareLaunchArgument(
                "mode",
                default_value="nacot",
                choices=MODES,
                description="how premises are treated: plain (trusted), nap (checked) or nacot (step by step)",
            ),
            DeclareLaunchArgument(
                "require_confirmation",
                default_value="false",
                choices=ON_OFF,
                description="answer a corrected question only after a person confirmed it, as with 'vantage confirm'",
            ),
            DeclareLaunchArgument(
                "judge", default_value="rules", description="who marks the answers: rules, or model:NAME:WHICH"
            ),
            DeclareLaunchArgument(
                "episodes",
                default_value="",
                description="folder of the episode set whose gold data scores the replay, which needs bags with depth "
                "and instance images (run.record_depth, run.record_instances); empty for none",
            ),
            DeclareLaunchArgument("out", default_value="replayed", description="folder for the bags of the replay"),
            DeclareLaunchArgument(
                "config",
                default_value=PathJoinSubstitution([FindPackageShare(PACKAGE), "config", "vantage.yaml"]),
                description="parameter file with the settings of all nodes; arguments given here override it",
            ),
            DeclareLaunchArgument(
                "use_sim_time",
                default_value="true",
                choices=ON_OFF,
                description="the recorded stamps, which the player sends on /clock, are the time",
            ),
            DeclareLaunchArgument(
                "autostart",
                default_value="true",
                choices=ON_OFF,
                description="configure and activate question answering without a lifecycle manager",
            ),
            DeclareLaunchArgument("rviz", default_value="false", choices=ON_OFF, description="show the replay in RViz"),
            # First, because a launch that finds no rviz2 leaves behind what it has started.
            IncludeLaunchDescription(
                PathJoinSubstitution([FindPackageShare(PACKAGE), "launch", "rviz.launch.py"]),
                launch_arguments={"use_sim_time": LaunchConfiguration("use_sim_time")}.items(),
                condition=IfCondition(LaunchConfiguration("rviz")),
            ),
            node(
                "qa_node",
                agent__perception=parameter("perception"),
                agent__model=parameter("model"),
                agent__mode=parameter("mode"),
                agent__require_confirmation=parameter("require_confirmation", bool),
                autostart=parameter("autostart", bool),
                use_sim_time=use_sim_time,
            ),
            node(
                "evaluator_node",
                episodes=parameter("episodes"),
                out=parameter("out"),
                judge=parameter("judge"),
                use_sim_time=use_sim_time,
            ),
            TimerAction(period=LaunchConfiguration("delay"), actions=[player]),
            RegisterEventHandler(OnProcessExit(target_action=player, on_exit=end_on_failure)),
        ]
    )
