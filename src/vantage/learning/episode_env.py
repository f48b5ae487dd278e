"""The episodes of a set as a Gymnasium environment: what an agent sees, and what is new in it as the reward."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.config import Settings
from vantage.errors import UsageError, VantageError
from vantage.learning.network_inputs import looked
from vantage.learning.novelty import NoveltyReward
from vantage.planning import make_actions
from vantage.recording import SOURCE
from vantage.registry import WORLDS
from vantage.runs import Job, let_manipulate, prepared
from vantage.spatial import Intrinsics
from vantage.types import Command, Done, Episode, Observation, Status, Truth
from vantage.worlds import World

Correctness = Callable[[Episode, Observation], float]  # share of the episode's questions answered rightly, 0..1

FIRST, ALL = "first", "all"


@dataclass(frozen=True)
class _Stage:
    """A phase with steps: the episode in it, and the questions that are public by then."""

    episode: Episode
    questions: tuple[str, ...]


class EpisodeEnv(gymnasium.Env[dict[str, Any], Any]):
    """A set's episodes. Each reset takes the next one; with a seed, the one that the seed draws; with
    ``options={"episode": k}``, the k-th of them.

    Observations: ``rgb`` (size, size, 3) uint8; ``pose`` (5,) x, y, z m, yaw, pitch rad; ``tool`` (12,) rows of
    T_world_tool; ``gripper`` (2,) width m and whether something is held, all zeros without a hand; ``phase`` one-hot
    over the phases of the set; ``asked`` (1,) 1 once questions are public; ``last_action`` one-hot, zeros at the start.
    ``info`` has the name of the phase and as ``questions`` the texts of those that are public: what was asked in the
    phases so far, those without steps included, which take none here.

    An action of the set that means that the agent is done ends a phase, and so does its budget. After the last one with
    steps the episode is terminated or truncated. Before it, the next observation is the first look of the next phase,
    for which the world may be put back as at the start.

    The reward is that of ``NoveltyReward``, and with ``correctness`` its change; both stand in ``info`` too, as
    ``r_novelty`` and ``r_qa``.

    Args:
        episodes: folder of an episode set.
        world: registered name.
        size: edge of ``rgb``, pixels.
        settings: of the world; those that the set was made with count before them. Pictures are drawn for ``size``,
            with the view of the set's camera.
        correctness: gives the share of questions that are answered rightly after a look, of a whole episode.
        phases: ``first`` with steps alone, or ``all``.
        ids: depth and ids are drawn too, for ``observation``, as small as the pictures.

    Raises:
        UsageError: the set has no episodes with steps, its scenes are not known as shapes, or an argument is wrong.
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
        phases: str = FIRST,
        ids: bool = False,
    ) -> None:
        if size < 1:
            raise UsageError(f"size of pictures is {size}; give at least 1 pixel")
        if phases not in (FIRST, ALL):
            raise UsageError(f"phases is '{phases}'; give '{FIRST}' or '{ALL}'")
        job, found = prepared(Job(Path(episodes), Path(), world, "random", settings or Settings()))
        self._set, self._size, self._correctness = found, size, correctness
        self._episodes = [each for each in found.episodes if _stages(each)]
        if not self._episodes:
            raise UsageError(f"{episodes} has no episode with steps; give a set in which agents move")
        self._most_stages = 1 if phases == FIRST else None
        names = dict.fromkeys(each.in_phase(k).phase for each in found.episodes for k in range(each.phase_count))
        self._phases = tuple(names)
        made = job.settings.with_values(found.info.settings, str(found.folder))
        self._actions = make_actions(made.actions)
        self._world: World = WORLDS.create(world, small_pictures(made, size, ids))
        lens = Intrinsics.from_fov(made.camera.width, made.camera.height, made.camera.horizontal_fov)
        visibility = VisibilitySettings.of(found.info.thresholds, f"{found.folder}: thresholds", found.info.view_rule)
        self._novelty = NoveltyReward(found, self._world, visibility, lens)
        self._truths: dict[str, Truth] | None = None
        self._next = 0
        self._stages: tuple[_Stage, ...] = ()  # of the episode that is on, from the one that is on
        self._over = True
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
                "asked": boxes(0.0, 1.0, (1,), np.float32),
                "last_action": boxes(0.0, 1.0, (count,), np.float32),
            }
        )

    @property
    def episode_count(self) -> int:
        """Of episodes with steps."""
        return len(self._episodes)

    @property
    def action_names(self) -> tuple[str, ...]:
        """Of the actions, by number."""
        return tuple(self._actions.names)

    @property
    def phase_names(self) -> tuple[str, ...]:
        """Of the phases, in the order of ``phase``."""
        return self._phases

    @property
    def observation(self) -> Observation:
        """The newest look as the world gave it.

        Raises:
            UsageError: no episode has begun.
        """
        self._require_begun()
        return self._observation

    @property
    def lessons(self) -> tuple[tuple[str, str], ...]:
        """Text and gold answer of each question of the episode, asked or not; for training alone.

        Raises:
            UsageError: no episode has begun.
            FormatError: the set's gold data cannot be read.
        """
        self._require_begun()
        return self._lessons(self._whole)

    def lessons_of(self, number: int) -> tuple[tuple[str, str], ...]:
        """The same of any episode by its number.

        Raises:
            FormatError: the set's gold data cannot be read.
        """
        return self._lessons(self._episodes[number])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; see ``gymnasium.Env.reset``.

        Raises:
            UsageError: there is no episode of that number.
            VantageError: its scene cannot be shown.
        """
        super().reset(seed=seed)
        number = self._chosen(seed, options or {})
        self._over, self._whole, self._next = True, self._episodes[number], (number + 1) % len(self._episodes)
        self._stages = _stages(self._whole)[: self._most_stages]
        self._seed = self._whole.seed if seed is None else seed
        self._steps, self._action = 0, -1
        self._novelty.begin(self._whole.scene)
        novelty = self._begin_phase(put_back=True)
        self._over, self._right = False, self._judged()
        return self._seen(), self._told(novelty, 0.0)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action; see ``gymnasium.Env.step``. What the world refuses costs a step.

        Raises:
            UsageError: there is no such action, or no episode is on.
            VantageError: the world was stopped, or the reward is no number.
        """
        if self._over:
            raise UsageError("no episode is on in this environment; reset it first")
        if not 0 <= int(action) < len(self._actions.names):
            raise UsageError(f"there is no action {action}; give a number from 0 to {len(self._actions.names) - 1}")
        self._action = int(action)
        decision = self._actions.decision(self._actions.names[self._action], self._observation.viewpoint)
        done, novelty, more = isinstance(decision, Done), 0.0, {}
        if not isinstance(decision, Done):
            more["status"] = self._carried_out(decision).name.lower()
            novelty = self._novelty.look(self._observation.viewpoint)
        ended = done or self._left == 0
        if ended and len(self._stages) > 1:
            self._stages = self._stages[1:]
            novelty += self._begin_phase(put_back=self._stages[0].episode.restored)
        else:
            self._over = ended
        before, self._right = self._right, self._judged()
        info = self._told(novelty, self._right - before) | more
        reward = info["r_novelty"] + info["r_qa"]
        if not math.isfinite(reward):
            raise VantageError(
                f"the reward after step {self._steps} of episode '{self._whole.episode_id}' is {reward}; mend what "
                "judges answers"
            )
        return self._seen(), reward, self._over and done, self._over and not done, info

    def close(self) -> None:
        """Release the world; calling it twice is harmless."""
        self._over = True
        self._world.close()

    def _require_begun(self) -> None:
        """
        Raises:
            UsageError: it was never reset.
        """
        if not self._stages:
            raise UsageError("no episode has begun in this environment; reset it first")

    def _lessons(self, episode: Episode) -> tuple[tuple[str, str], ...]:
        if self._truths is None:
            self._truths = dict(benchmark_of(self._set.info.benchmark).truths(self._set))
        gold = self._truths[episode.episode_id].questions
        found = ((item.text, truth.answer) for item in episode.questions for truth in gold if truth.is_about(item))
        return tuple(dict(found).items())

    def _chosen(self, seed: int | None, options: dict[str, Any]) -> int:
        """Number of the episode that a reset begins.

        Raises:
            UsageError: there is none.
        """
        if "episode" in options:
            number, most = int(options["episode"]), len(self._episodes)
            if not 0 <= number < most:
                raise UsageError(
                    f"there is no episode {number} in {self._set.folder}; give a number from 0 to {most - 1}"
                )
            return number
        return self._next if seed is None else int(self.np_random.integers(len(self._episodes)))

    def _begin_phase(self, put_back: bool) -> float:
        """Go on with the first of the stages that are left; what its first look adds to novelty."""
        episode = self._stages[0].episode
        self._left = episode.max_steps
        if not put_back:
            return 0.0
        self._observation = self._world.reset(episode, self._seed)
        if not episode.restored:  # whoever trains lets the network try everything
            let_manipulate(self._world, self._whole, self._observation, SOURCE)
        return self._novelty.look(self._observation.viewpoint)

    def _carried_out(self, command: Command) -> Status:
        self._steps, self._left = self._steps + 1, self._left - 1
        numbered = replace(command, episode_id=self._whole.episode_id, source=SOURCE, sequence=self._steps)
        result = self._world.step(numbered)
        if result.status == Status.STOPPED:
            raise VantageError(f"the world stopped in episode '{self._whole.episode_id}': {result.reason}")
        self._observation = result.observation
        return result.status

    def _judged(self) -> float:
        return 0.0 if self._correctness is None else float(self._correctness(self._whole, self._observation))

    def _told(self, novelty: float, right: float) -> dict[str, Any]:
        stage = self._stages[0]
        return {
            "episode_id": self._whole.episode_id,
            "phase": stage.episode.phase,
            "questions": stage.questions,
            "r_novelty": novelty,
            "r_qa": right,
        }

    def _seen(self) -> dict[str, Any]:
        stage, count = self._stages[0], len(self._actions.names)
        phase, asked = stage.episode.phase, bool(stage.questions)
        return looked(self._observation, self._size, phase, self._phases, self._action, count, asked)


def small_pictures(settings: Settings, size: int, ids: bool = False) -> Settings:
    """Settings under which a world draws the same view with ``size`` rows or columns, whatever it has fewer of.

    Args:
        ids: depth and ids are drawn too, where they are with the settings that are given.
    """
    camera, house, world = settings.camera, settings.house, settings.world
    share = size / min(camera.width, camera.height)
    small = replace(camera, width=round(camera.width * share), height=round(camera.height * share))
    if not ids:
        house = replace(house, pictures="none" if house.pictures == "none" else "color")
        world = replace(world, instances=False)
    return replace(settings, camera=small, house=house, world=world)


def _stages(episode: Episode) -> tuple[_Stage, ...]:
    found: list[_Stage] = []
    asked: dict[str, None] = {}
    for number in range(episode.phase_count):
        phase = episode.in_phase(number)
        asked |= dict.fromkeys(question.text for question in phase.questions)
        if phase.max_steps > 0:
            found.append(_Stage(phase, tuple(asked)))
    return tuple(found)
