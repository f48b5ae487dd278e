"""Runs launch files under the real launch system; importing this needs launch and rclpy."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import rclpy
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.launch_context import LaunchContext
from launch.launch_description import LaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.launch_service import LaunchService

from vantage.nodes.runtime.running import ros_context

DEADLINE = 60.0  # s for all nodes to be there
_WATCHER = "launch_watcher"


def arguments_of(path: Path) -> list[DeclareLaunchArgument]:
    """The arguments of a launch file, as ``ros2 launch --show-args`` reads them."""
    description = PythonLaunchDescriptionSource(str(path)).get_launch_description(LaunchContext())
    return list(description.get_launch_arguments())


def launch(path: Path, expected: set[str], arguments: Mapping[str, str]) -> tuple[set[str], dict[str, int]]:
    """Launch a file, and shut it down as Ctrl-C does once all expected nodes are there or a process has ended.

    Returns:
        The names of the nodes that were there and the exit status of each executable.
    """
    ended: dict[str, int] = {}
    over = threading.Event()

    def on_exit(event: Any, context: LaunchContext) -> None:
        ended[event.process_name.rpartition("-")[0]] = event.returncode

    service = LaunchService(noninteractive=True)
    file = IncludeLaunchDescription(PythonLaunchDescriptionSource(str(path)), launch_arguments=arguments.items())
    service.include_launch_description(LaunchDescription([RegisterEventHandler(OnProcessExit(on_exit=on_exit)), file]))

    def watch() -> set[str]:
        try:
            return _names(expected, lambda: bool(ended) or over.is_set())
        finally:
            service.shutdown()

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(watch)
        service.run()
        over.set()
        return watching.result(), ended


def _names(expected: set[str], ended: Callable[[], bool]) -> set[str]:
    deadline = time.monotonic() + DEADLINE
    with ros_context([], domain_id=int(os.environ["ROS_DOMAIN_ID"])) as context:
        node = rclpy.create_node(_WATCHER, context=context)
        try:
            names: set[str] = set()
            while not expected <= names and time.monotonic() < deadline and not ended():
                time.sleep(0.1)
                names = set(node.get_node_names())
        finally:
            node.destroy_node()
    return names - {_WATCHER}
