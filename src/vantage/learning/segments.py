"""Rollouts cut into segments through which gradients run, with advantages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tensordict import TensorDict
from torchrl.objectives.value import GAE

from vantage.learning.answer_lessons import Lessons
from vantage.learning.policy import Inputs
from vantage.learning.rollouts import Rollout


@dataclass(frozen=True)
class Segments:
    """N segments of at most T steps; shorter ones are filled up.

    Attributes:
        inputs: of the policy, (N, T, ...) each.
        state: before the first step of each, (N, H).
        there: (N, T), which steps are real.
        actions, log_probs, advantages, returns: (N, T).
        lessons: of the episode of each segment.
    """

    inputs: Inputs
    state: torch.Tensor
    there: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    lessons: tuple[Lessons, ...]

    def __len__(self) -> int:
        return len(self.lessons)

    def some(self, chosen: torch.Tensor) -> Segments:
        """Those with these numbers."""
        return Segments(
            {name: value[chosen] for name, value in self.inputs.items()},
            self.state[chosen],
            self.there[chosen],
            self.actions[chosen],
            self.log_probs[chosen],
            self.advantages[chosen],
            self.returns[chosen],
            tuple(self.lessons[number] for number in chosen.tolist()),
        )


def cut(
    rollouts: Sequence[Rollout], rewards: Sequence[np.ndarray], length: int, discount: float, trace: float
) -> Segments:
    """Segments of ``length`` steps with advantages that have mean 0 and standard deviation 1.

    Nothing is expected after the last step of an episode: its budget is part of the task.
    """
    estimates = [
        advantages(each.values, reward, discount, trace) for each, reward in zip(rollouts, rewards, strict=True)
    ]
    spread = torch.cat([advantage for advantage, _ in estimates])
    mean, deviation = spread.mean(), spread.std(correction=0).clamp(min=1e-6)
    parts = [(number, begin) for number, rollout in enumerate(rollouts) for begin in range(0, rollout.steps, length)]

    def filled(of: Sequence[np.ndarray | torch.Tensor]) -> torch.Tensor:
        rows = [torch.as_tensor(of[number][begin : begin + length]) for number, begin in parts]
        found = rows[0].new_zeros(len(rows), length, *rows[0].shape[1:])
        for row, part in zip(found, rows, strict=True):
            row[: len(part)] = part
        return found

    return Segments(
        {name: filled([each.inputs[name] for each in rollouts]) for name in rollouts[0].inputs},
        torch.stack([torch.from_numpy(rollouts[number].hidden[begin // length]) for number, begin in parts]),
        filled([np.ones(each.steps, bool) for each in rollouts]),
        filled([each.actions for each in rollouts]),
        filled([each.log_probs for each in rollouts]),
        filled([(advantage - mean) / deviation for advantage, _ in estimates]),
        filled([returns for _, returns in estimates]),
        tuple(rollouts[number].lessons for number, _ in parts),
    )


def advantages(
    values: np.ndarray, rewards: np.ndarray, discount: float, trace: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Generalized advantage estimates of the steps of an episode, and the returns that they mean; (T,) each."""
    value, steps = torch.from_numpy(values), len(values)
    ended = torch.zeros(steps, dtype=torch.bool)
    ended[-1] = True
    after = {
        "state_value": torch.cat([value[1:], value.new_zeros(1)]),
        "reward": torch.as_tensor(rewards, dtype=value.dtype),
        "done": ended,
        "terminated": ended,
    }
    found = TensorDict(
        {
            "state_value": value[None, :, None],
            "next": TensorDict({name: each[None, :, None] for name, each in after.items()}, [1, steps]),
        },
        [1, steps],
    )
    GAE(gamma=discount, lmbda=trace, value_network=None)(found)
    return found["advantage"].flatten(), found["value_target"].flatten()
