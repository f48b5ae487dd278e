"""Whole episodes that a policy acts through, each with all that learning from it takes.

An episode depends on the weights, the number of the episode and the seed alone, not on who ran what before: the world
is reset and the actions are drawn from the seed. So nothing of an environment has to be kept for resuming, and any
number of processes give the same rollouts.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import torch

from vantage.config import Settings
from vantage.errors import VantageError
from vantage.learning.answer_lessons import Lessons, correctness
from vantage.learning.frozen_t5 import FrozenT5
from vantage.learning.policy import Policy, PolicyShape, from_bytes
from vantage.perception import BlindPerceiver
from vantage.workers import WorkerPool

Environment = Callable[[], gymnasium.Env[Any, Any]]

_SEEDS = 2**31 - 1


@dataclass(frozen=True)
class Collection:
    """How episodes are run, the same for all of a training.

    Attributes:
        environment: makes an environment as ``EpisodeEnv`` is; can be pickled.
        t5: folder of the frozen language model.
        segment: steps between two states of the GRU that are kept.
        answer_every: steps between beam searches.
        answers_rewarded: whether these searches are made.
        settings: of the visual features.
    """

    environment: Environment
    shape: PolicyShape
    t5: str
    segment: int
    answer_every: int
    beams: int
    answers_rewarded: bool
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True)
class Rollout:
    """An episode of T steps.

    Attributes:
        inputs: of the policy, by name, (T, ...) each.
        hidden: states of the GRU before the steps 0, segment, 2 * segment, ...; (S, H).
        actions, log_probs, values, novelty, answering: (T,); the last two are the rewards.
        beliefs: (T + 1, H), the last one after the last action.
    """

    episode_id: str
    inputs: dict[str, np.ndarray]
    hidden: np.ndarray
    actions: np.ndarray
    log_probs: np.ndarray
    values: np.ndarray
    novelty: np.ndarray
    answering: np.ndarray
    beliefs: np.ndarray
    lessons: Lessons
    phases: dict[str, int] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        return len(self.actions)


def derived(*numbers: int) -> int:
    """A seed from several numbers; others of these give another."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0]) % _SEEDS


class EpisodeRunner:
    """The environment, policy and language model of one process."""

    def __init__(self, collection: Collection) -> None:
        self._plan = collection
        self._env = collection.environment()
        self._policy = Policy(collection.shape, collection.settings).eval()
        self._t5 = FrozenT5.load(collection.t5)

    def run(self, weights: bytes, number: int, seed: int) -> Rollout:
        """
        Args:
            weights: of the policy.
            number: of the episode in the set.
            seed: of the world and of the lots that choose actions.

        Raises:
            VantageError: the world was stopped, or a reward is no number.
        """
        self._policy.load_learned(from_bytes(weights))
        with torch.no_grad():
            return self._run(number, seed)

    def close(self) -> None:
        """Release the environment."""
        self._env.close()

    def _run(self, number: int, seed: int) -> Rollout:
        lots = torch.Generator().manual_seed(seed)
        seen, info = self._env.reset(seed=derived(seed, 1), options={"episode": number})
        lessons = Lessons(*zip(*self._env.unwrapped.lessons, strict=True)) if self._env.unwrapped.lessons else Lessons()
        policy, asked = self._policy, None
        policy.visual.begin(seed)
        state = policy.start(1)
        kept: dict[str, list[Any]] = {name: [] for name in ("actions", "log_probs", "values", "novelty", "answering")}
        inputs: list[dict[str, torch.Tensor]] = []
        hidden: list[torch.Tensor] = []
        beliefs: list[torch.Tensor] = []
        phases: dict[str, int] = {}
        ended = False
        while True:
            if info.get("questions"):
                asked = self._t5.embed(info["questions"])
            step = policy.inputs(seen, self._looks(seen), asked)
            before = state
            belief, state = policy.step(step, before)
            beliefs.append(belief[0])
            if ended:
                break
            if len(inputs) % self._plan.segment == 0:
                hidden.append(before[0])
            logits = policy.network.actor(belief)
            scores = torch.log_softmax(logits, -1)
            action = int(torch.multinomial(scores.exp(), 1, generator=lots))
            phases[info["phase"]] = phases.get(info["phase"], 0) + 1
            seen, _, terminated, truncated, info = self._env.step(action)
            ended = terminated or truncated
            inputs.append({name: value[0] for name, value in step.items()})
            kept["actions"].append(action)
            kept["log_probs"].append(float(scores[0, action]))
            kept["values"].append(float(policy.network.critic(belief)))
            kept["novelty"].append(_finite(info["r_novelty"], "r_novelty", info, len(inputs)))
        path = torch.stack(beliefs)
        answering = self._answering(path, lessons)
        return Rollout(
            info["episode_id"],
            {name: torch.stack([each[name] for each in inputs]).numpy() for name in inputs[0]},
            torch.stack(hidden).numpy(),
            np.array(kept["actions"], np.int64),
            np.array(kept["log_probs"], np.float32),
            np.array(kept["values"], np.float32),
            np.array(kept["novelty"], np.float32),
            answering,
            path.numpy(),
            lessons,
            phases,
        )

    def _looks(self, seen: dict[str, Any]) -> np.ndarray:
        """Of what visual features are made: the picture, or what a perceiver makes out."""
        visual = self._policy.visual
        if visual.perception == BlindPerceiver.name:
            rgb: np.ndarray = seen["rgb"]
            return rgb
        looks: np.ndarray = visual.look(self._env.unwrapped.observation)
        return looks

    def _answering(self, beliefs: torch.Tensor, lessons: Lessons) -> np.ndarray:
        """r_QA after each action: the mean change of correctness since the last beam search."""
        steps = len(beliefs) - 1
        found = np.zeros(steps, np.float32)
        if not self._plan.answers_rewarded or not lessons.questions:
            return found
        at = sorted({*range(0, steps, self._plan.answer_every), steps})
        right = correctness(self._policy, self._t5, beliefs[at], lessons, self._plan.beams)
        for index, change in zip(at[1:], np.diff(right), strict=True):
            found[index - 1] = change
        return found


def _finite(value: Any, name: str, info: dict[str, Any], step: int) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise VantageError(
            f"{name} after step {step} of episode '{info['episode_id']}' is {number}; mend what rewards it, the "
            "checkpoint before it is kept"
        )
    return number


_RUNNERS: dict[bytes, EpisodeRunner] = {}  # of this process, by their pickled collections; one at a time


def run_episode(collection: bytes, weights: bytes, number: int, seed: int) -> Rollout:
    """An episode in a worker process, which keeps its environment for the next one.

    Args:
        collection: a pickled ``Collection``.

    Raises:
        VantageError: as ``EpisodeRunner.run``.
    """
    torch.set_num_threads(1)
    if collection not in _RUNNERS:
        for other in list(_RUNNERS):
            _RUNNERS.pop(other).close()
        _RUNNERS[collection] = EpisodeRunner(pickle.loads(collection))
    return _RUNNERS[collection].run(weights, number, seed)


def run_episodes(
    pool: WorkerPool, collection: Collection, weights: bytes, numbers: Sequence[int], seeds: Sequence[int]
) -> list[Rollout]:
    """Episodes by the processes of a pool, in their order.

    Raises:
        VantageError: as ``EpisodeRunner.run``, or a worker died.
    """
    count = len(numbers)
    return list(pool.map(run_episode, [pickle.dumps(collection)] * count, [weights] * count, numbers, seeds))
