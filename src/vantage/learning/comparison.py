"""What training was worth: the reward of the trained policy beside the untrained one's, and the loss of answers after
the belief beside that of the same language model with the question alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from vantage.learning.answer_lessons import Lessons, answer_loss, language_loss
from vantage.learning.policy import Policy, to_bytes
from vantage.learning.rollouts import Environment, Rollout, derived, run_episodes
from vantage.learning.training import Training, new_policy, surroundings_of
from vantage.workers import WorkerPool

_COMPARED = 3  # what a seed is for
_BELIEFS = 8  # of each episode, evenly spaced
GOAL_REWARD = 1.5  # times the untrained policy's


@dataclass(frozen=True)
class Comparison:
    """Of some houses; all four are means over the same episodes, with the same seeds.

    Attributes:
        houses: which ones.
        untrained, trained: r_novelty of an episode.
        language_loss, answer_loss: -log p(answer), nats; the latter over steps and questions of the trained policy.
    """

    houses: str
    episodes: int
    untrained: float
    trained: float
    language_loss: float
    answer_loss: float

    @property
    def ratio(self) -> float:
        return self.trained / max(self.untrained, 1e-9)


def compare(training: Training, pool: WorkerPool, houses: str, environment: Environment, episodes: int) -> Comparison:
    """
    Args:
        environment: whose episodes are run in turn, until there were so many.
    """
    lessons = surroundings_of(environment).lessons
    collection = replace(training.collection, environment=environment, answers_rewarded=False)
    numbers = [k % len(lessons) for k in range(episodes)]
    seeds = [derived(training.plan.seed, _COMPARED, k) for k in range(len(numbers))]
    untrained = to_bytes(new_policy(training.shape, training.plan.seed, training.plan.settings).learned())
    before = run_episodes(pool, collection, untrained, numbers, seeds)
    after = run_episodes(pool, collection, training.weights(), numbers, seeds)
    return Comparison(
        houses,
        len(numbers),
        _reward(before),
        _reward(after),
        float(np.mean([_language(training, each.lessons) for each in after if len(each.lessons)])),
        float(np.mean([_answers(training, each) for each in after if len(each.lessons)])),
    )


def _reward(rollouts: Sequence[Rollout]) -> float:
    return float(np.mean([each.novelty.sum() for each in rollouts]))


def _language(training: Training, lessons: Lessons) -> float:
    """Mean over all questions of an episode."""
    with torch.no_grad():
        return float(language_loss(training.t5, zip(lessons.questions, lessons.answers, strict=True)).mean())


def _answers(training: Training, rollout: Rollout) -> float:
    """Mean over some beliefs and all questions of an episode."""
    policy: Policy = training.policy
    at = np.unique(np.linspace(0, rollout.steps, _BELIEFS).round().astype(int))
    lessons = list(zip(rollout.lessons.questions, rollout.lessons.answers, strict=True))
    beliefs = torch.from_numpy(rollout.beliefs[at]).repeat_interleave(len(lessons), 0)
    with torch.no_grad():
        return float(answer_loss(policy, training.t5, beliefs, lessons * len(at)).mean())
