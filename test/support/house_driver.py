"""The room of ``touch_home`` as a house world, and who drives it by numbered commands and actions."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from touch_home import touch_home
from warrants import let

from vantage.config import Settings
from vantage.planning.mobile_actions import MobileActions
from vantage.scenes.spec import save_spec
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, Question, Status, StepResult
from vantage.worlds import World

ACTIONS = MobileActions(0.25, math.pi / 12)
START = Viewpoint(0.0, 0.0, 1.4, 0.0, 0.0)
EPISODE = Episode("e1", "search", "touch", START, (Question("q1", "What is here?"),), 50)


def house_settings(folder: Path) -> Settings:
    """Settings of a house world over the room, which is written to a folder; without pictures."""
    (folder / "touch").mkdir()
    save_spec(touch_home(), folder / "touch" / "spec.json")
    return Settings().with_values(
        {
            "world.scenes": str(folder),
            "house.pictures": "none",
            "house.weighing": "wrist",
            "camera.width": 64,
            "camera.height": 48,
            "limits.pitch_min": -1.2,
        },
        "test",
    )


class Driver:
    """Gives numbered commands and actions."""

    def __init__(self, world: World, episode: Episode = EPISODE, seed: int = 0, warranted: bool = True) -> None:
        self.world, self.episode, self.number = world, episode, 0
        self.last = world.reset(episode, seed)
        if warranted:
            let(world, episode.episode_id, "test", self.last.stamp)

    def send(self, command: Command) -> StepResult:
        self.number += 1
        numbered = replace(command, episode_id=self.episode.episode_id, source="test", sequence=self.number)
        result = self.world.step(numbered)
        assert result.observation.stamp > self.last.stamp
        assert "\n" not in result.reason
        assert result.reason or result.status is Status.DONE
        self.last = result.observation
        return result

    def act(self, *actions: str) -> StepResult:
        for action in actions:
            result = self.send(ACTIONS.decision(action, self.last.viewpoint))
        return result
