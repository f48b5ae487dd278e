"""The episodes of a set as a Gymnasium environment: what an agent sees, and what is new in it as the reward."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import cv2
import gymnasium
import numpy as np

from vantage.benchmarks.labelling import PlaceSight, VisibilitySettings
from vantage.config import Settings
from vantage.errors import UsageError, VantageError
from vantage.planning import make_actions
from vantage.recording import SOURCE
from vantage.registry import WORLDS
from vantage.runs import Gathering, Job, MovedThings, prepared
from vantage.scenes.spec import load_spec
from vantage.types import Done, Episode, Observation, Status
from vantage.worlds import Changing, World, poses_of

Correctness = Callable[[Episode, Observation], float]  # share of the episode's questions answered rightly, 0..1


class EpisodeEnv(gymnasium.Env[dict[str, Any], Any]):
    """The first phase of a set's episodes in which the agent moves. Each reset takes the next episode; with a seed, the
    one that the seed draws.

    Observations: ``rgb`` (size, size, 3) uint8; ``pose`` (5,) x, y, z m, yaw, pitch rad; ``tool`` (12,) rows of
    T_world_tool; ``gripper`` (2,) width m and whether something is held, all zeros without a hand; ``phase`` one-hot
    over the phases of the set; ``last_action`` one-hot, zeros at the start.

    The reward is the share of things that are seen for the first time plus the floor newly in view over all floor,
    and with ``correctness`` its change; both stand in ``info`` too, as ``r_novelty`` and ``r_qa``. An action of the set
    that means that the agent is done terminates the episode; its budget truncates it.

    Args:
        episodes: folder of an episode set.
        world: registered name.
        size: edge of ``rgb``, pixels.
        settings: of the world.
        correctness: gives the share of questions that are answered rightly after a look.

    Raises:
        UsageError: the set has no episodes with steps, or its scenes are not known as shapes.
        VantageError: the set cannot be read.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        episodes: str | Path,
        world: str,
        size: int = 84,
        settings: Settings | None = None,
        correctness: Correctness | None = None,
    ) -> None:
        if size < 1:
            raise UsageError(f"size of pictures is {size}; give at least 1 pixel")
        job, found = prepared(Job(Path(episodes), Path(), world, "random", settings or Settings()))
        self._set, self._size, self._correctness = found, size, correctness
        self._episodes = [each for each in map(_moving, found.episodes) if each.max_steps > 0]
        if not self._episodes:
            raise UsageError(f"{episodes} has no episode with steps; give a set in which agents move")
        self._phases = tuple(dict.fromkeys(_phases(found.episodes)))
        self._visibility = VisibilitySettings.of(found.info.thresholds, f"{found.folder}: thresholds")
        self._actions = make_actions(job.settings.actions)
        self._world: World = WORLDS.create(world, job.settings)
        self._sight: tuple[str, PlaceSight] | None = None
        self._next = 0
        boxes = gymnasium.spaces.Box
        count = len(self._actions.names)
        self.action_space = gymnasium.spaces.Discrete(count)
        self.observation_space = gymnasium.spaces.Dict(
            {
                "rgb": boxes(0, 255, (size, size, 3), np.uint8),
                "pose": boxes(-np.inf, np.inf, (5,), np.float32),
                "tool": boxes(-np.inf, np.inf, (12,), np.float32),
                "gripper": boxes(0.0, np.inf, (2,), np.float32),
                "phase": boxes(0.0, 1.0, (len(self._phases),), np.float32),
                "last_action": boxes(0.0, 1.0, (count,), np.float32),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; see ``gymnasium.Env.reset``.

        Raises:
            VantageError: its scene cannot be shown.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._next = int(self.np_random.integers(len(self._episodes)))
        self._episode = self._episodes[self._next]
        self._next = (self._next + 1) % len(self._episodes)
        self._observation = self._world.reset(self._episode, self._episode.seed if seed is None else seed)
        self._steps, self._action = 0, -1
        self._gathering, self._changes, self._floor = (
            Gathering(self._sight_of(self._episode.scene), ()),
            MovedThings(),
            0.0,
        )
        self._changes.begin()
        self._right = self._judged()
        novelty = self._novelty()
        return self._seen(), {"episode_id": self._episode.episode_id, "r_novelty": novelty, "r_qa": 0.0}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action; see ``gymnasium.Env.step``. What the world refuses costs a step.

        Raises:
            VantageError: the world was stopped, or the reward is no number.
        """
        self._action = int(action)
        decision = self._actions.decision(self._actions.names[self._action], self._observation.viewpoint)
        info: dict[str, Any] = {"episode_id": self._episode.episode_id, "r_novelty": 0.0, "r_qa": 0.0}
        if isinstance(decision, Done):
            return self._seen(), 0.0, True, False, info
        self._steps += 1
        command = replace(decision, episode_id=self._episode.episode_id, source=SOURCE, sequence=self._steps)
        result = self._world.step(command)
        if result.status == Status.STOPPED:
            raise VantageError(f"the world stopped in episode '{self._episode.episode_id}': {result.reason}")
        self._observation = result.observation
        before, self._right = self._right, self._judged()
        info |= {"r_novelty": self._novelty(), "r_qa": self._right - before, "status": result.status.name.lower()}
        reward = info["r_novelty"] + info["r_qa"]
        if not math.isfinite(reward):
            raise VantageError(
                f"the reward after step {self._steps} of episode '{self._episode.episode_id}' is {reward}; mend what "
                "judges answers"
            )
        return self._seen(), reward, False, self._steps >= self._episode.max_steps, info

    def close(self) -> None:
        """Release the world."""
        self._world.close()

    def _judged(self) -> float:
        return 0.0 if self._correctness is None else float(self._correctness(self._episode, self._observation))

    def _novelty(self) -> float:
        """What the newest look adds: share of things plus share of floor."""
        world = self._world
        moved = None
        if isinstance(world, Changing):
            self._changes.look(poses_of(world))
            moved = self._changes.moved
        _, news = self._gathering.look(self._observation.viewpoint, self._observation.intrinsics, moved)
        if news is None:
            return 0.0
        floor, self._floor = news.floor_seen - self._floor, news.floor_seen
        return len(news.seen) / max(1, news.things) + floor / max(news.floor_area, 1e-9)

    def _sight_of(self, scene: str) -> PlaceSight:
        """
        Raises:
            UsageError: only a splat is known of the scene.
        """
        if self._sight is None or self._sight[0] != scene:
            path = self._set.scene_folder(scene) / "spec.json"
            if not path.is_file():
                raise UsageError(f"scene '{scene}' has no {path}, by which new things are judged; take a set of homes")
            self._sight = scene, PlaceSight(load_spec(path), self._visibility)
        return self._sight[1]

    def _seen(self) -> dict[str, Any]:
        seen, touch, view = self._observation, self._observation.touch, self._observation.viewpoint
        tool, gripper = np.zeros(12, np.float32), np.zeros(2, np.float32)
        if touch is not None:
            tool = touch.T_world_tool[:3].reshape(12).astype(np.float32)
            gripper[:] = max(0.0, float(np.nan_to_num(touch.gripper_width))), touch.holds
        phase = np.zeros(len(self._phases), np.float32)
        phase[self._phases.index(self._episode.phase)] = 1.0
        last = np.zeros(len(self._actions.names), np.float32)
        if self._action >= 0:
            last[self._action] = 1.0
        return {
            "rgb": cv2.resize(seen.rgb, (self._size, self._size), interpolation=cv2.INTER_AREA),
            "pose": np.array([*view.position, view.yaw, view.pitch], np.float32),
            "tool": tool,
            "gripper": gripper,
            "phase": phase,
            "last_action": last,
        }


def _moving(episode: Episode) -> Episode:
    """The episode in its first phase that has steps."""
    phases = (episode.in_phase(number) for number in range(episode.phase_count))
    return next((each for each in phases if each.max_steps > 0), episode)


def _phases(episodes: tuple[Episode, ...]) -> list[str]:
    return [each.in_phase(number).phase for each in episodes for number in range(each.phase_count)]
