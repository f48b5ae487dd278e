"""Bags of a splat world that plays the rig: what it shows may be changed before it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
from gold_bags import GoldListener
from scripted_agent import ScriptedAgent
from small_room import small_room

from vantage.config import Settings
from vantage.recording.bags import BagWriter
from vantage.recording.events import Outcome
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.publishers import PlannerPublisher, QaPublisher, WorldPublisher
from vantage.recording.to_messages import Codec
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.splats.scene_file import save_scene
from vantage.types import Episode, Observation, Question, StepResult, Truth
from vantage.worlds.splat import SplatWorld

Change = Callable[[Observation], Observation]


START = Viewpoint(1.0, 1.5, 0.8, 0.0, 0.0)
EPISODE_1 = Episode("rig-1", "search", "room", START, (Question("q1", "What color is the <b>box</b>?"),), 40, 3)
ACTIONS = ("yaw+", "x+", "pitch-", "yaw-")


def save_room(folder: Path) -> Path:
    """The small room as a scene folder."""
    cloud, graph = small_room()
    return save_scene(folder / "room", None, graph, cloud, name="room")


def room_settings(scene: Path) -> Settings:
    """For small pictures of it."""
    values = {"world.scenes": str(scene.parent), "camera.width": 160, "camera.height": 120, "world.renderer": "cpu"}
    return Settings().with_values(values, "test")


class ChangedWorld(SplatWorld):
    """Shows something else than it should."""

    def __init__(self, settings: Settings, change: Change) -> None:
        super().__init__(settings)
        self._change = change

    def reset(self, episode: Episode, seed: int) -> Observation:
        return self._change(super().reset(episode, seed))

    def step(self, command) -> StepResult:
        result = super().step(command)
        return replace(result, observation=self._change(result.observation))


def record_rig(
    folder: Path,
    settings: Settings,
    episode: Episode,
    actions: Sequence[str],
    change: Change = lambda observation: observation,
    text: str = "red",
    truth: Truth | None = None,
) -> tuple[Path, Outcome]:
    """A bag of one episode as the nodes would record it, named after the episode."""
    codec = Codec(RosbagsFactory())
    with closing(ChangedWorld(settings, change)) as world, BagWriter(folder, episode.episode_id) as bag:
        listeners = [
            *([GoldListener(bag, truth, lambda _: {1: 1.0, 2: 1.0})] if truth is not None else []),
            PlannerPublisher(codec, bag.write),
            WorldPublisher(codec, bag.write, lambda topic: not topic.optional, world),
            QaPublisher(codec, bag.write),
        ]
        outcome = EpisodeRunner(world, ScriptedAgent(actions, text), listeners).run(episode, 0)
        return bag.finish(episode.episode_id), outcome


def another_camera(gain: float = 0.8, bias: float = 12.0, noise: float = 4.0, seed: int = 0) -> Change:
    """A sensor with another exposure, and noise."""
    rng = np.random.default_rng(seed)

    def change(observation: Observation) -> Observation:
        rgb = observation.rgb * gain + bias + rng.normal(0.0, noise, observation.rgb.shape)
        return replace(observation, rgb=np.clip(rgb, 0, 255).astype(np.uint8))

    return change


def moved(shift: float, turn: float = 0.0, only: int | None = None) -> Change:
    """Poses that are told wrong, all or one of them."""
    count = iter(range(1000))

    def change(observation: Observation) -> Observation:
        v, k = observation.viewpoint, next(count)
        wrong = replace(v, x=v.x + shift, yaw=v.yaw + turn)
        return replace(observation, viewpoint=wrong) if only in (None, k) else observation

    return change
