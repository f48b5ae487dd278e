"""Random actions of the mobile robot in a generated home: whether anything falls through the floor or is no number."""

from __future__ import annotations

import math
import tempfile
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vantage.config import Settings
from vantage.errors import EpisodeError, WorldError
from vantage.planning import make_actions
from vantage.runs import let_manipulate
from vantage.scenes.generator import generate_home
from vantage.scenes.spec import save_spec
from vantage.spatial import Viewpoint
from vantage.types import Done, Episode
from vantage.worlds.house import HouseWorld

HOME = "home"

_BELOW = -0.01  # m: what is lower fell through the floor
_SEEDED = 0xAC7
_SOURCE = "bench"


@dataclass(frozen=True)
class RandomOrder:
    """So many actions in the home of a seed."""

    seed: int
    rooms: int
    count: int
    settings: Settings


def act_at_random(order: RandomOrder) -> str:
    """What went wrong, in a sentence; empty where nothing did."""
    with tempfile.TemporaryDirectory(prefix="vantage-random-") as folder:
        place = Path(folder) / HOME
        place.mkdir()
        save_spec(generate_home(order.seed, order.rooms, HOME), place / "spec.json")
        settings = order.settings
        settings = replace(
            settings,
            world=replace(settings.world, scenes=folder),
            house=replace(settings.house, pictures="none"),
            actions=replace(settings.actions, space="mobile", frame="heading", rotation=math.pi / 12),
        )
        with closing(HouseWorld(settings)) as world:
            try:
                reason = _acted(world, order, settings)
            except (EpisodeError, WorldError) as error:  # physics that broke down, at the start or later
                reason = f"{type(error).__name__}: {error}"
    return f"home {order.seed}: {reason}" if reason else ""


def _acted(world: HouseWorld, order: RandomOrder, settings: Settings) -> str:
    rng = np.random.default_rng([order.seed, _SEEDED])
    actions = make_actions(settings.actions)
    place = world.place(HOME)
    start = place.nearest_free(
        *(0.5 * (low + high) for low, high in zip(place.home.bounds_min[:2], place.home.bounds_max[:2], strict=True))
    )
    if start is None:
        return "the robot can stand nowhere"
    height = place.limits.bounds_min[2] + 0.5 * (place.limits.bounds_max[2] - place.limits.bounds_min[2])
    episode = Episode("random", "skills", HOME, Viewpoint(*start, height, 0.0, 0.0), (), order.count)
    observation = world.reset(episode, 0)
    let_manipulate(world, episode, observation, _SOURCE)
    number = 0
    while number < order.count:
        decision = actions.decision(str(rng.choice(actions.names)), observation.viewpoint)
        if isinstance(decision, Done):
            continue
        number += 1
        command = replace(decision, episode_id="random", source=_SOURCE, sequence=number)
        observation = world.step(command).observation
        for instance, pose in world.poses().items():
            if not np.isfinite(pose).all():
                return f"after {number} actions the pose of {instance} is no number"
            if pose[2, 3] < _BELOW:
                return f"after {number} actions {instance} is {-pose[2, 3]:.3f} m below the floor"
    return ""
