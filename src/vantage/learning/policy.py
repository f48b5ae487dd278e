"""What acts and answers: visual features, belief, actor, critic and the prefix of answers, as one module."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from vantage.learning.belief_network import BeliefNetwork
from vantage.learning.visual_features import VisualFeatures

_BODY = ("pose", "tool", "gripper", "phase", "asked")  # observations that are put side by side

Inputs = dict[str, torch.Tensor]


@dataclass(frozen=True)
class PolicyShape:
    """By what a policy can be made anew.

    Attributes:
        features: registered name of the visual features.
        size: edge of the pictures, pixels.
        actions: how many there are.
        body: numbers that tell of pose, hand and phase.
        question: size of the embedding of a question.
        prefix: vectors that the belief puts before a question, each of the size of an embedding.
        belief: size of the GRU's state.
        hidden: size of hidden layers.
    """

    features: str
    size: int
    actions: int
    body: int
    question: int
    prefix: int
    belief: int
    hidden: int


class Policy(torch.nn.Module):
    """See the module. Visual features that are not trained are computed once, when something is seen."""

    def __init__(self, shape: PolicyShape) -> None:
        super().__init__()
        self.shape = shape
        self.visual = VisualFeatures.create(shape.features, size=shape.size)
        self.network = BeliefNetwork(
            visual_size=self.visual.size,
            action_count=shape.actions,
            body_size=shape.body,
            question_size=shape.question,
            prefix_length=shape.prefix,
            prefix_size=shape.question,
            belief_size=shape.belief,
            hidden_size=shape.hidden,
        )

    def start(self, count: int) -> torch.Tensor:
        """States before the first step of so many episodes."""
        return torch.zeros(count, self.shape.belief)

    def inputs(self, seen: Mapping[str, Any], asked: torch.Tensor | None) -> Inputs:
        """What the policy takes of one observation, with a leading dimension of 1.

        Args:
            asked: mean embedding of the questions; None until they are public.
        """
        rgb = torch.from_numpy(np.ascontiguousarray(seen["rgb"]))[None]
        body = np.concatenate([np.asarray(seen[key], np.float32) for key in _BODY])
        question = torch.zeros(self.shape.question) if asked is None else asked
        found = {
            "last_action": torch.from_numpy(np.asarray(seen["last_action"], np.float32))[None],
            "body": torch.from_numpy(body)[None],
            "question": question[None],
        }
        return found | ({"rgb": rgb} if self.visual.trainable else {"visual": self.visual(rgb)})

    def step(self, inputs: Inputs, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Beliefs (N, H) after one step, and the new states."""
        return self.network.step(**self._seen(inputs), hidden=state)

    def unroll(self, inputs: Inputs, state: torch.Tensor) -> torch.Tensor:
        """Beliefs (N, T, H) over segments of T steps that begin with the states (N, H)."""
        return self.network.unroll(**self._seen(inputs), hidden=state)

    def _seen(self, inputs: Inputs) -> Inputs:
        if "visual" in inputs:
            return inputs
        rgb = inputs["rgb"]
        visual = self.visual(rgb.flatten(0, -4)).unflatten(0, rgb.shape[:-3])
        return {name: value for name, value in inputs.items() if name != "rgb"} | {"visual": visual}


def to_bytes(state: Mapping[str, torch.Tensor]) -> bytes:
    """A state dictionary for another process."""
    buffer = io.BytesIO()
    torch.save(dict(state), buffer)
    return buffer.getvalue()


def from_bytes(data: bytes) -> dict[str, torch.Tensor]:
    """The state dictionary that ``to_bytes`` was given."""
    found: dict[str, torch.Tensor] = torch.load(io.BytesIO(data), weights_only=True)
    return found
