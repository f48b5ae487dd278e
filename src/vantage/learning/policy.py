"""What acts and answers: visual features, belief, actor, critic and the prefix of answers, as one module."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.errors import FormatError
from vantage.learning.belief_network import BeliefNetwork
from vantage.learning.network_inputs import body_of
from vantage.learning.visual_features import VisualFeatures

Inputs = dict[str, torch.Tensor]
_LARGEST, _LARGEST_EDGE = 1 << 20, 512  # of the numbers of a shape; of them, pixels of a picture's edge


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
        belief: size of the GRU's state and of hidden layers.
    """

    features: str
    size: int
    actions: int
    body: int
    question: int
    prefix: int
    belief: int


class Policy(torch.nn.Module):
    """See the module. Visual features that are not trained are computed once, when something is seen."""

    def __init__(self, shape: PolicyShape, settings: Settings | None = None) -> None:
        super().__init__()
        self.shape = shape
        self.visual = VisualFeatures.create(shape.features, settings, shape.size)
        self.network = BeliefNetwork(
            visual_size=self.visual.size,
            action_count=shape.actions,
            body_size=shape.body,
            question_size=shape.question,
            prefix_length=shape.prefix,
            prefix_size=shape.question,
            belief_size=shape.belief,
            hidden_size=shape.belief,
        )

    def start(self, count: int) -> torch.Tensor:
        """States before the first step of so many episodes."""
        return self.network.first_hidden(count)

    def inputs(self, seen: Mapping[str, Any], looks: NDArray[Any], asked: torch.Tensor | None) -> Inputs:
        """What the policy takes of one observation, with a leading dimension of 1.

        Args:
            seen: an observation of ``EpisodeEnv``.
            looks: of what visual features are made: its ``rgb``, or what ``visual.look`` gives.
            asked: mean embedding of the questions; None until they are public.
        """
        shown = torch.from_numpy(np.ascontiguousarray(looks))[None]
        question = torch.zeros(self.shape.question) if asked is None else asked
        found = {
            "last_action": torch.from_numpy(np.asarray(seen["last_action"], np.float32))[None],
            "body": torch.from_numpy(body_of(seen))[None],
            "question": question[None],
        }
        return found | ({"looks": shown} if self.visual.trainable else {"visual": self.visual(shown)})

    def step(self, inputs: Inputs, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Beliefs (N, H) after one step, and the new states."""
        found: tuple[torch.Tensor, torch.Tensor] = self.network.step(**self._seen(inputs), hidden=state)
        return found

    def unroll(self, inputs: Inputs, state: torch.Tensor) -> torch.Tensor:
        """Beliefs (N, T, H) over segments of T steps of one episode each, which begin with the states (N, H)."""
        going_on = torch.zeros(*inputs["body"].shape[:2], 1, dtype=torch.bool)
        found: torch.Tensor = self.network.unroll(**self._seen(inputs), hidden=state, is_init=going_on)
        return found

    def _seen(self, inputs: Inputs) -> Inputs:
        if "visual" in inputs:
            return inputs
        looks, ahead = inputs["looks"], inputs["body"].shape[:-1]
        visual = self.visual(looks.flatten(0, len(ahead) - 1)).unflatten(0, ahead)
        return {name: value for name, value in inputs.items() if name != "looks"} | {"visual": visual}

    def learned(self) -> dict[str, torch.Tensor]:
        """The parameters that are trained, by name."""
        return {name: value.detach() for name, value in self.named_parameters() if value.requires_grad}

    def load_learned(self, learned: Mapping[str, torch.Tensor]) -> None:
        """
        Raises:
            FormatError: they are of a policy of another shape.
        """
        own = {name: value for name, value in self.named_parameters() if value.requires_grad}
        if {name: value.shape for name, value in own.items()} != {name: value.shape for name, value in learned.items()}:
            raise FormatError("the weights are of a policy of another shape; train with the settings that they have")
        with torch.no_grad():
            for name, value in own.items():
                value.copy_(learned[name])


def require_stored(shape: PolicyShape, learned: Mapping[str, torch.Tensor]) -> None:
    """Make sure that a policy of a shape needs no more memory than weights have that were read.

    Raises:
        FormatError: the shape promises more than there is.
    """
    sizes = (shape.size, shape.actions, shape.body, shape.question, shape.prefix, shape.belief)
    stored = {value.untyped_storage().data_ptr(): value.untyped_storage().nbytes() for value in learned.values()}
    numbers = sum(stored.values()) // 4  # float32
    possible = all(0 < size <= _LARGEST for size in sizes) and shape.size <= _LARGEST_EDGE
    if not possible or _needed(shape) > numbers:
        raise FormatError(
            f"the checkpoint promises a policy larger than the {numbers} weights that it holds; train anew, or name "
            "another checkpoint"
        )


def _needed(shape: PolicyShape) -> int:
    """Numbers of its network at least; none of them is made."""
    with torch.device("meta"):
        network = BeliefNetwork(
            visual_size=1,
            action_count=shape.actions,
            body_size=shape.body,
            question_size=shape.question,
            prefix_length=shape.prefix,
            prefix_size=shape.question,
            belief_size=shape.belief,
            hidden_size=shape.belief,
        )
    return sum(value.numel() for value in network.parameters())


def to_bytes(state: Mapping[str, torch.Tensor]) -> bytes:
    """A state dictionary for another process."""
    buffer = io.BytesIO()
    torch.save(dict(state), buffer)
    return buffer.getvalue()


def from_bytes(data: bytes) -> dict[str, torch.Tensor]:
    """The state dictionary that ``to_bytes`` was given."""
    found: dict[str, torch.Tensor] = torch.load(io.BytesIO(data), weights_only=True)
    return found
