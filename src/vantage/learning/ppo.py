"""Updates of a policy: PPO with torchrl's clipped loss, and cross-entropy of the answers."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

from vantage.config import TrainingSettings
from vantage.errors import VantageError
from vantage.learning.answer_lessons import answer_loss
from vantage.learning.frozen_t5 import FrozenT5
from vantage.learning.policy import Policy
from vantage.learning.segments import Segments

_EPSILON = 1e-5  # of Adam, as is usual with PPO


class Learner:
    """Trains a policy; its own state is that of the optimizer.

    Args:
        policy: is changed.
        t5: is not.
    """

    def __init__(self, policy: Policy, t5: FrozenT5, settings: TrainingSettings) -> None:
        self.policy, self._t5, self._settings = policy, t5, settings
        network = policy.network
        actor = ProbabilisticActor(
            TensorDictModule(network.actor, in_keys=["belief"], out_keys=["logits"]),
            in_keys=["logits"],
            distribution_class=torch.distributions.Categorical,
            return_log_prob=True,
        )
        self._loss = ClipPPOLoss(
            actor,
            ValueOperator(network.critic, in_keys=["belief"]),
            clip_epsilon=settings.clip,
            entropy_coeff=settings.entropy,
            critic_coeff=settings.critic,
            loss_critic_type="l2",
            functional=False,
        )
        self.optimizer = torch.optim.Adam(
            [each for each in policy.parameters() if each.requires_grad], settings.learning_rate, eps=_EPSILON
        )

    def learn(self, segments: Segments, seed: int) -> dict[str, float]:
        """One round: all segments several times, in minibatches by lot. Returns the means of losses by name.

        Raises:
            VantageError: a loss is no number; the policy is as it was before that minibatch.
        """
        lots = torch.Generator().manual_seed(seed)
        told: dict[str, list[float]] = defaultdict(list)
        for _ in range(self._settings.epochs):
            for chosen in torch.randperm(len(segments), generator=lots).split(self._settings.batch):
                for name, value in self._update(segments.some(chosen), lots).items():
                    told[name].append(value)
        return {name: float(np.mean(values)) for name, values in told.items()}

    def _update(self, segments: Segments, lots: torch.Generator) -> dict[str, float]:
        beliefs = self.policy.unroll(segments.inputs, segments.state)[segments.there]
        found = self._loss(
            TensorDict(
                {
                    "belief": beliefs,
                    "action": segments.actions[segments.there],
                    "action_log_prob": segments.log_probs[segments.there],
                    "advantage": segments.advantages[segments.there][:, None],
                    "value_target": segments.returns[segments.there][:, None],
                },
                [len(beliefs)],
            )
        )
        parts = {name: found[f"loss_{name}"] for name in ("objective", "critic", "entropy")}
        answering = self._answering(beliefs, segments, lots)
        if answering is not None:
            parts["answering"] = answering
        total = sum(part * (self._settings.answering if name == "answering" else 1.0) for name, part in parts.items())
        if not torch.isfinite(total):
            bad = ", ".join(name for name, part in parts.items() if not torch.isfinite(part))
            raise VantageError(f"the loss of {bad or 'a minibatch'} is no number; lower training.learning_rate")
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self._settings.gradient_norm)
        if not torch.isfinite(norm):
            raise VantageError("a gradient is no number; lower training.learning_rate")
        self.optimizer.step()
        told = {name: float(part.detach()) for name, part in parts.items()}
        return told | {"clipped": float(found["clip_fraction"]), "kl": float(found["kl_approx"])}

    def _answering(self, beliefs: torch.Tensor, segments: Segments, lots: torch.Generator) -> torch.Tensor | None:
        """Mean cross-entropy over all steps and questions, or over as many pairs of them as the settings say, by lot;
        None where nothing is asked."""
        rows = torch.nonzero(segments.there)[:, 0].tolist()
        pairs = [(step, row, k) for step, row in enumerate(rows) for k in range(len(segments.lessons[row]))]
        if not pairs or not self._settings.answering:
            return None
        wanted = self._settings.lessons or len(pairs)
        if wanted < len(pairs):
            pairs = [pairs[number] for number in torch.randperm(len(pairs), generator=lots)[:wanted].tolist()]
        lessons = [(segments.lessons[row].questions[k], segments.lessons[row].answers[k]) for _, row, k in pairs]
        return answer_loss(self.policy, self._t5, beliefs[[step for step, _, _ in pairs]], lessons).mean()
