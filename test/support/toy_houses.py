"""Houses that are a ring of rooms, as an environment for training that takes no time; ``ahead`` enters the next one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import gymnasium
import numpy as np

COLORS = {"red": (200, 30, 30), "green": (30, 200, 30), "blue": (30, 30, 200)}
ROOMS = 6


@dataclass(frozen=True)
class MakeRing:
    """Makes one; compared by value, so that worker processes know it again."""

    steps: int = 10
    spoiled_after: int = -1
    asks: bool = True
    first: str = "What color are the walls?"

    def __call__(self) -> Ring:
        return Ring(self)


@dataclass
class Ring(gymnasium.Env):
    """Each house has one color, which is asked for."""

    plan: MakeRing
    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}
    action_names: ClassVar[tuple[str, ...]] = ("ahead", "back", "stay", "grasp", "done")
    phase_names: ClassVar[tuple[str, ...]] = ("explore", "reenter")
    episode_count: ClassVar[int] = len(COLORS)
    house: int = 0
    seen: set[int] = field(default_factory=set)

    def lessons_of(self, number: int) -> tuple[tuple[str, str], ...]:
        color = list(COLORS)[number]
        other = list(COLORS)[(number + 1) % len(COLORS)]
        pairs = ((self.plan.first, color), (f"Are the walls {other}?", "no"), (f"Are they {color}?", "yes"))
        return pairs if self.plan.asks else ()

    @property
    def lessons(self) -> tuple[tuple[str, str], ...]:
        return self.lessons_of(self.house)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.house, self.room, self.taken, self.last = (options or {})["episode"], 0, 0, -1
        self.seen = {0}
        return self._look(), self._told(0.0)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.taken, self.last = self.taken + 1, action
        self.room = (self.room + {0: 1, 1: -1}.get(action, 0)) % ROOMS
        new = float(self.room not in self.seen) / ROOMS
        self.seen.add(self.room)
        reward = float("nan") if self.taken == self.plan.spoiled_after else new
        ended = self.action_names[action] == "done"
        return self._look(), reward, ended, self.taken >= self.plan.steps, self._told(reward)

    @property
    def _asked(self) -> bool:
        return self.taken >= self.plan.steps // 2

    def _told(self, reward: float) -> dict[str, Any]:
        asked = tuple(question for question, _ in self.lessons) if self._asked else ()
        phase = self.phase_names[int(self._asked)]
        return {"episode_id": f"ring_{self.house}", "r_novelty": reward, "questions": asked, "phase": phase}

    def _look(self) -> dict[str, Any]:
        rgb = np.zeros((36, 36, 3), np.uint8)
        rgb[:] = list(COLORS.values())[self.house]
        rgb[:, : 6 * self.room] //= 2
        return {
            "rgb": rgb,
            "pose": np.array([self.room, 0, 1, 0, 0], np.float32),
            "tool": np.zeros(12, np.float32),
            "gripper": np.zeros(2, np.float32),
            "phase": np.array([not self._asked, self._asked], np.float32),
            "asked": np.array([self._asked], np.float32),
            "last_action": np.eye(len(self.action_names), dtype=np.float32)[self.last] * (self.last >= 0),
        }
