"""What a step of a splat world costs that moves, is checked for collision and is drawn."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from vantage.bench.cloud import MIDDLE, SIZE
from vantage.bench.step import bench_episode
from vantage.bench.stopwatch import measure
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.planning.actions import GantryActions
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.scene_file import load_scene, save_scene
from vantage.types import Command, Status
from vantage.worlds.splat import SplatWorld

_WALK = ("x+", "yaw+", "y+", "yaw+", "x-", "yaw-", "y-", "yaw-")  # back where it began


def bench_world(
    folder: Path, cloud: GaussianCloud, settings: Settings, size: tuple[int, int], steps: int
) -> dict[str, Any]:
    """Times of steps around the middle of a room of ``bench_cloud``, written to a scene folder first.

    Every step changes the pose, so that each draws a picture of ``size``, with depth and ids; every other one moves.

    Raises:
        SceneError: a step did not succeed.
    """
    save_scene(folder, None, None, cloud, start=Viewpoint(*MIDDLE, 0.0, 0.0), bounds=((0.0, 0.0, 0.0), SIZE))
    settings = replace(
        settings,
        camera=replace(settings.camera, width=size[0], height=size[1]),
        world=replace(settings.world, scenes=str(folder), renderer="cpu", instances=True),
    )
    actions = GantryActions(settings.actions.translation, settings.actions.rotation)
    with closing(SplatWorld(settings)) as world:
        here = [world.reset(bench_episode(load_scene(folder)), 0).viewpoint]
        walk, numbers = itertools.cycle(_WALK), itertools.count(1)

        def step() -> None:
            action = next(walk)
            command = Command(actions.apply(action, here[0]), action, None, "bench", "bench", next(numbers))
            result = world.step(command)
            if result.status != Status.DONE:
                raise SceneError(f"the bench could not go on with '{action}': {result.reason}; set shorter actions")
            here[0] = result.reached

        times = measure(f"world step, {len(cloud)} Gaussians, {size[0]} x {size[1]}", step, steps)
    return {**times.data(), "steps_per_s": round(1000 / times.median_ms, 1)}
