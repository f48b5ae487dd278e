"""What a step costs in process: without rendering, with rendering against the bare renderer, and with collisions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.bench.stopwatch import Times, measure
from vantage.bench.trained_room import MIDDLE, SIZE
from vantage.config import Settings
from vantage.errors import SceneError
from vantage.planning import GantryActions, make_actions, rotations
from vantage.registry import WORLDS
from vantage.spatial import Intrinsics, Matrix, Viewpoint
from vantage.splats import GaussianCloud, SplatScene, load_scene, save_scene
from vantage.splats.rendering import RenderedView, make_renderer
from vantage.types import Command, Episode, Status
from vantage.worlds import SplatWorld, World

# Back where it began; of the gantry, whatever space the settings name, so that times compare.
_WALK = ("x+", "yaw+", "y+", "yaw+", "x-", "yaw-", "y-", "yaw-")


class StillRenderer:
    """A renderer that has one picture ready, whatever it is asked for."""

    def __init__(self, view: RenderedView) -> None:
        self._view = view

    name = "still"

    def prepare(self, cloud: GaussianCloud) -> None:
        """Nothing to do."""

    def render(
        self, cloud: GaussianCloud, T_world_camera_optical: Matrix, intrinsics: Intrinsics, **_: object
    ) -> RenderedView:
        """A copy of the picture, as a world may change what it is given."""
        return replace(self._view, depth=self._view.depth.copy(), instances=self._view.instances.copy())

    def render_batch(
        self, cloud: GaussianCloud, poses: Sequence[Matrix] | NDArray[np.float64], intrinsics: Intrinsics, **_: object
    ) -> list[RenderedView]:
        """A copy for each pose."""
        return [self.render(cloud, pose, intrinsics) for pose in poses]

    def close(self) -> None:
        """Nothing to do."""


def bench_episode(scene: SplatScene) -> Episode:
    """An endless episode from the scene's own start.

    Raises:
        SceneError: the scene names no start.
    """
    if scene.start is None:
        raise SceneError(f"scene '{scene.name}' names no start; add 'start' to its scene file")
    return Episode("bench", "", scene.name, scene.start, (), 2**31 - 1)


def stepping(world: World, episode: Episode, settings: Settings) -> Callable[[], None]:
    """Resets a world; each call of the result then turns the camera one step left or right."""
    actions = make_actions(settings.actions)
    here = [world.reset(episode, 0).viewpoint]
    numbers, names = itertools.count(1), itertools.cycle([*rotations(actions, 1, 0), *rotations(actions, -1, 0)])

    def step() -> None:
        action = next(names)
        command = Command(actions.apply(action, here[0]), action, None, episode.episode_id, "bench", next(numbers))
        result = world.step(command)
        if result.status != Status.DONE:
            raise SceneError(f"the bench could not turn on the spot: {result.reason}")
        here[0] = result.reached

    return step


def still_world(scene: SplatScene, settings: Settings) -> SplatWorld:
    """A splat world that shows one picture, so that only the machinery around it takes time."""
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    with closing(make_renderer(settings.world.renderer, settings.world.threads)) as renderer:
        start = bench_episode(scene).start
        return SplatWorld(
            settings, renderer=StillRenderer(renderer.render(scene.cloud, start.T_world_camera_optical(), intrinsics))
        )


def bench_step(folder: Path, settings: Settings, repetitions: int, world: str = "splat") -> tuple[Times, Times, Times]:
    """Times of a step without rendering, of a step with rendering, and of the renderer alone, on the same two views.

    Args:
        world: the registered name of the world that takes the step with rendering.
    """
    scene = load_scene(folder)
    episode = bench_episode(scene)
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    actions = make_actions(settings.actions)
    turned = actions.replay(episode.start, rotations(actions, 1, 0))[-1]
    views = itertools.cycle([turned.T_world_camera_optical(), episode.start.T_world_camera_optical()])
    with closing(make_renderer(settings.world.renderer, settings.world.threads)) as renderer:
        alone = measure(
            f"renderer alone, {len(scene.cloud)} Gaussians",
            lambda: renderer.render(scene.cloud, next(views), intrinsics),
            repetitions,
        )
    with closing(still_world(scene, settings)) as still, closing(WORLDS.create(world, settings)) as full:
        bare = measure("step without rendering", stepping(still, episode, settings), repetitions)
        whole = measure("step with rendering", stepping(full, episode, settings), repetitions)
    return bare, whole, alone


def bench_world(
    folder: Path, cloud: GaussianCloud, settings: Settings, size: tuple[int, int], steps: int
) -> dict[str, Any]:
    """Times of steps around the middle of a ``trained_room``, written to a scene folder first.

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
    with closing(WORLDS.create("splat", settings)) as world:
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
