"""The network of EXCALIBUR's learned agents (CVPR 2023, section 4): the belief of a GRU, and what is read from it.

At each step visual features, an embedding of the last action, the body and the mean embedding of the questions, zeros
until they are asked, are put side by side into the GRU. Of the belief, an actor and a critic with one hidden layer
give logits of actions and a value, and a generator with two hidden layers gives the tokens that are put before a
question to a frozen T5.
"""

from __future__ import annotations

from typing import Any

import torch
from tensordict import TensorDict
from torch import Tensor, nn
from torchrl.modules import GRUModule, set_recurrent_mode

_GIVEN, _STATE, _BELIEF = "given", "recurrent_state", "belief"


class BeliefNetwork(nn.Module):
    """A belief, an actor, a critic and a generator of prefixes.

    Args:
        visual_size: F, of the visual features.
        action_count: A.
        body_size: B, of the vector of ``network_inputs.body_of``.
        question_size: Q, of the embedding of questions.
        prefix_length: P, tokens.
        prefix_size: D, of each token of a prefix.
        belief_size: H, of the belief, which is the state of the GRU.
        hidden_size: of the hidden layers.
        action_size: of the embedding of an action.
    """

    def __init__(
        self,
        visual_size: int,
        action_count: int,
        body_size: int,
        question_size: int,
        prefix_length: int,
        prefix_size: int,
        belief_size: int = 256,
        hidden_size: int = 256,
        action_size: int = 32,
    ) -> None:
        super().__init__()
        self.sizes = {
            "visual_size": visual_size,
            "action_count": action_count,
            "body_size": body_size,
            "question_size": question_size,
            "prefix_length": prefix_length,
            "prefix_size": prefix_size,
            "belief_size": belief_size,
            "hidden_size": hidden_size,
            "action_size": action_size,
        }
        self.belief_size = belief_size
        self._prefix_shape = prefix_length, prefix_size
        self.visual_norm = nn.LayerNorm(visual_size)
        self.action_embedding = nn.Linear(action_count, action_size, bias=False)
        self.gru = GRUModule(
            input_size=visual_size + action_size + body_size + question_size,
            hidden_size=belief_size,
            in_keys=[_GIVEN, _STATE],
            out_keys=[_BELIEF, ("next", _STATE)],
        )
        self.actor = _mlp(belief_size, hidden_size, action_count)
        self.critic = _mlp(belief_size, hidden_size, 1)
        self.prefix_generator = _mlp(belief_size, hidden_size, hidden_size, prefix_length * prefix_size)

    def first_hidden(self, count: int) -> Tensor:
        """The state before a first step of so many episodes, (N, H)."""
        return torch.zeros(count, self.belief_size)

    def unroll(
        self,
        visual: Tensor,
        last_action: Tensor,
        body: Tensor,
        question: Tensor,
        hidden: Tensor,
        is_init: Tensor,
    ) -> Tensor:
        """Beliefs (N, T, H) over N stretches of T steps.

        Args:
            visual: (N, T, F).
            last_action: (N, T, A) one-hot; zeros at the start of an episode.
            body: (N, T, B).
            question: (N, T, Q); zeros until questions are asked.
            hidden: (N, H) before the first step; does not count where an episode begins there.
            is_init: (N, T, 1) bool, true at the first step of an episode, at which what was remembered is forgotten.
        """
        count, steps = visual.shape[:2]
        states = torch.zeros(count, steps, 1, self.belief_size, dtype=hidden.dtype, device=hidden.device)
        states[:, 0, 0] = torch.where(is_init[:, 0], torch.zeros_like(hidden), hidden)
        given = {_GIVEN: self._given(visual, last_action, body, question), _STATE: states, "is_init": is_init}
        with set_recurrent_mode(True):
            return self.gru(TensorDict(given, [count, steps]))[_BELIEF]

    def step(
        self, visual: Tensor, last_action: Tensor, body: Tensor, question: Tensor, hidden: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The beliefs (N, H) after one step of N episodes, and the states (N, H) to go on with.

        Args:
            visual, last_action, body, question: as of ``unroll``, without the axis of time.
            hidden: (N, H), of ``first_hidden`` or of the step before.
        """
        count = visual.shape[0]
        given = {
            _GIVEN: self._given(visual, last_action, body, question),
            _STATE: hidden[:, None],
            "is_init": torch.zeros(count, 1, dtype=torch.bool, device=hidden.device),
        }
        with set_recurrent_mode(False):
            found = self.gru(TensorDict(given, [count]))
        return found[_BELIEF], found["next", _STATE][:, 0]

    def prefix(self, belief: Tensor) -> Tensor:
        """Tokens (.., P, D) that tell a language model of beliefs (.., H)."""
        made: Tensor = self.prefix_generator(belief)
        return made.unflatten(-1, self._prefix_shape)

    def _given(self, visual: Tensor, last_action: Tensor, body: Tensor, question: Tensor) -> Tensor:
        return torch.cat([self.visual_norm(visual), self.action_embedding(last_action), body, question], -1)


def _mlp(*sizes: int) -> Any:
    """Linear layers with ReLU between them."""
    layers: list[Any] = []
    for k in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[k], sizes[k + 1]), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
