"""What a step costs in process: the machinery alone, and with rendering, against the bare renderer."""

from __future__ import annotations

import itertools
from pathlib import Path

from vantage.config import Settings
from vantage.planning.actions import ActionSpace
from vantage.runs.stopwatch import Times, measure
from vantage.spatial import Intrinsics, Matrix
from vantage.splats.cloud import GaussianCloud
from vantage.splats.cpu import CpuRenderer
from vantage.splats.renderer import RenderedView
from vantage.splats.scene_file import SplatScene, load_scene
from vantage.types import Command, Episode, Status
from vantage.worlds.splat import SplatWorld


class _Still:
    """A renderer that has the picture ready."""

    def __init__(self, view: RenderedView) -> None:
        self._view = view

    def render(
        self, cloud: GaussianCloud, T_world_camera_optical: Matrix, intrinsics: Intrinsics, **_: object
    ) -> RenderedView:
        return self._view


def bench_step(scene_folder: Path, settings: Settings, repetitions: int = 50) -> tuple[Times, Times, Times]:
    """Returns (step without rendering, step with rendering, the renderer alone) on the same poses of one scene."""
    scene = load_scene(scene_folder)
    episode = Episode("bench", "search", scene.name, _start(scene), (), 10**6)
    camera = settings.camera
    intrinsics = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    renderer = CpuRenderer(settings.world.threads)
    turn = ActionSpace(settings.actions.translation, settings.actions.rotation)
    viewpoints = itertools.cycle([turn.apply("yaw+", episode.start), episode.start])

    def render() -> RenderedView:
        return renderer.render(scene.cloud, next(viewpoints).T_world_camera_optical(), intrinsics)

    view = render()
    alone = measure(f"renderer alone, {len(scene.cloud)} Gaussians", render, repetitions)
    renderer.close()
    bare = SplatWorld(settings, renderer=_Still(view))
    full = SplatWorld(settings)
    try:
        return (
            measure("step without rendering", _steps(bare, episode, turn), repetitions),
            measure("step with rendering", _steps(full, episode, turn), repetitions),
            alone,
        )
    finally:
        bare.close()
        full.close()


def _steps(world: SplatWorld, episode: Episode, actions: ActionSpace):  # type: ignore[no-untyped-def]
    observation = world.reset(episode, 0)
    numbers = itertools.count(1)
    names = itertools.cycle(["yaw+", "yaw-"])

    def step() -> None:
        nonlocal observation
        action = next(names)
        target = actions.apply(action, observation.viewpoint)
        result = world.step(Command(target, action, None, episode.episode_id, "bench", next(numbers)))
        if result.status != Status.DONE:
            raise RuntimeError(f"a step of the bench was not done: {result.reason}")
        observation = result.observation

    return step


def _start(scene: SplatScene):  # type: ignore[no-untyped-def]
    return scene.start
