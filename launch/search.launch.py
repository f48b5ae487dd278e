"""The whole graph: a world, the planner, question answering and the evaluator; episodes start with ``run_episode``."""

from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, Shutdown
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

from vantage.registry import AGENTS, PERCEIVERS, WORLDS

PACKAGE = "vantage_eqa"
ON_OFF = ["true", "false"]
OF_WORLD = ["world", "scenes", "episodes", "rig", "rig_mode", "config", "use_sim_time", "autostart"]
MODES = ["plain", "nap", "nacot"]
HOUSE = EqualsSubstitution(LaunchConfiguration("world"), "house")
CONFIG = IfElseSubstitution(HOUSE, if_value="house.yaml", else_value="vantage.yaml")
LAYOUT = IfElseSubstitution(HOUSE, if_value="house.rviz", else_value="search.rviz")


def text(argument: str) -> ParameterValue:
    """An argument as a parameter that stays text, whatever it looks like."""
    return ParameterValue(LaunchConfiguration(argument), value_type=str)


def switch(argument: str) -> ParameterValue:
    """An argument as a boolean parameter."""
    return ParameterValue(LaunchConfiguration(argument), value_type=bool)


def node(executable: str, **parameters: ParameterValue) -> Node:
    """A node of this package, without which the launch ends; ``__`` in a name stands for a dot."""
    return Node(
        package=PACKAGE,
        executable=executable,
        output="screen",
        # A file that is missing here ends the node with a message; among `parameters` it would be left out silently.
        ros_arguments=["--params-file", LaunchConfiguration("config")],
        parameters=[
            {name.replace("__", "."): value for name, value in parameters.items()}
            | {"use_sim_time": switch("use_sim_time")}
        ],
        sigterm_timeout="15",
        on_exit=Shutdown(reason=f"{executable} ended"),
    )


def include(file: str, *arguments: str, condition: IfCondition | None = None) -> IncludeLaunchDescription:
    """Another launch file of this package, given the named arguments of this one."""
    return IncludeLaunchDescription(
        PathJoinSubstitution([FindPackageShare(PACKAGE), "launch", file]),
        launch_arguments={name: LaunchConfiguration(name) for name in arguments}.items(),
        condition=condition,
    )


def generate_launch_description() -> LaunchDescription:
    """The arguments, four nodes and, on request, RViz."""
    scenes = LaunchConfiguration("scenes")
    answering = {
        "agent__perception": text("perception"),
        "agent__model": text("model"),
        "agent__mode": text("mode"),
        "agent__require_confirmation": switch("require_confirmation"),
        "settings_of": text("episodes"),
    }
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "world", default_value="splat", choices=WORLDS.names(), description="which world to serve"
            ),
            DeclareLaunchArgument(
                "agent", default_value="search", choices=AGENTS.names(), description="who decides where to look"
            ),
            DeclareLaunchArgument(
                "perception",
                default_value="privileged",
                choices=PERCEIVERS.names(),
                description="the perceiver through which planner and question answering see",
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
                "judge",
                default_value="rules",
                description="who marks the answers: rules, or model:NAME:WHICH such as model:openai:llama",
            ),
            DeclareLaunchArgument(
                "scenes",
                default_value="",
                description="folder of scene folders, or one scene folder or splat file; "
                "empty: world.scenes of the configuration, or else those of the episode set",
            ),
            DeclareLaunchArgument(
                "episodes",
                default_value="",
                description="folder of the episode set whose own sizes count, whose gold data scores the run, and "
                "which the oracle replays; empty for none",
            ),
            DeclareLaunchArgument(
                "tasks",
                default_value=EqualsSubstitution(LaunchConfiguration("agent"), "doer"),
                choices=ON_OFF,
                description="whether the agent carries tasks out, one an episode, so that gold data are those of tasks",
            ),
            DeclareLaunchArgument("out", default_value="bags", description="folder for the bags"),
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
                description="the world's stamps are the time of all nodes, sent on /clock; a rig uses system time",
            ),
            DeclareLaunchArgument(
                "autostart",
                default_value="true",
                choices=ON_OFF,
                description="configure and activate the managed nodes without a lifecycle manager",
            ),
            DeclareLaunchArgument("rviz", default_value="false", choices=ON_OFF, description="show the search in RViz"),
            DeclareLaunchArgument(
                "layout",
                default_value=PathJoinSubstitution([FindPackageShare(PACKAGE), "rviz", LAYOUT]),
                description="RViz configuration file; house.rviz for world:=house, search.rviz for others",
            ),
            # First, because a launch that finds no rviz2 leaves behind what it has started.
            include("rviz.launch.py", "layout", "use_sim_time", condition=IfCondition(LaunchConfiguration("rviz"))),
            include("world.launch.py", *OF_WORLD),
            GroupAction(
                [
                    SetParameter(
                        "world.scenes", text("scenes"), condition=IfCondition(NotEqualsSubstitution(scenes, ""))
                    ),
                    node(
                        "planner_node",
                        agent__name=text("agent"),
                        episodes=text("episodes"),
                        **answering,
                    ),
                    node("qa_node", autostart=switch("autostart"), **answering),
                    node(
                        "evaluator_node",
                        episodes=text("episodes"),
                        settings_of=text("episodes"),
                        out=text("out"),
                        judge=text("judge"),
                        tasks=switch("tasks"),
                    ),
                ]
            ),
        ]
    )
