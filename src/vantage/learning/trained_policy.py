"""A trained policy as its checkpoint has it, with the T5 that answers for it, ready to be run on looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.decoding import decode
from vantage.errors import FormatError, ModelError, UsageError
from vantage.file_references import is_within
from vantage.files import CHECKPOINT, file_of
from vantage.learning import checkpoint
from vantage.learning.frozen_t5 import FrozenT5
from vantage.learning.network_inputs import looked
from vantage.learning.policy import Policy, PolicyShape, require_stored
from vantage.learning.threads import one_thread
from vantage.types import Observation
from vantage.wording import shown

_KEYS = ("agent", "shape", "learned", "phases", "actions", "t5", "t5_weights", "visual_weights")


@dataclass(frozen=True)
class Belief:
    """What a policy has in mind after a look: the belief, and the state with which it goes on."""

    belief: torch.Tensor
    state: torch.Tensor


class TrainedPolicy:
    """Of one checkpoint.

    Attributes:
        name: of the agent that was trained, such as ``novelty+qa``.
        actions: names, by number.
        perception: name of the perceiver that it sees through.
    """

    def __init__(self, found: dict[str, Any], t5: FrozenT5, settings: Settings) -> None:
        """
        Args:
            found: what the checkpoint holds.

        Raises:
            FormatError: the weights are of a policy of another shape, or fewer than it needs.
            ValueError: what is said of the shape is none.
            ModelError: the weights of CLIP are missing, or others than it was trained with.
        """
        self.name, self.actions = str(found["agent"]), tuple(found["actions"])
        self._phases, self._t5 = tuple(found["phases"]), t5
        try:
            shape = decode(PolicyShape, found["shape"], "the shape of the policy")
        except FormatError as error:
            raise ValueError(str(error)) from error
        require_stored(shape, found["learned"])
        self._policy = Policy(shape, settings).eval()
        if self._policy.visual.weights != found["visual_weights"]:
            raise ModelError(
                "the CLIP model is not the one that the agent was trained with; name that one with "
                "--set learning.clip=FOLDER"
            )
        self._policy.load_learned(found["learned"])
        self.perception = self._policy.visual.perception

    @classmethod
    def load(cls, settings: Settings) -> TrainedPolicy:
        """The one that ``agent.checkpoint`` names.

        Raises:
            UsageError: none is named.
            FormatError: it cannot be read, or is of another version.
            ModelError: the weights of a T5 or of CLIP are missing, or others than it was trained with.
        """
        where = settings.agent.checkpoint
        if not where:
            raise UsageError(
                "agent 'learned' needs what `vantage train` taught; name its folder with --set agent.checkpoint=DIR"
            )
        path = file_of(where, CHECKPOINT)
        found = checkpoint.load(path)
        missing = [key for key in _KEYS if key not in found]
        if missing:
            raise FormatError(f"{path} lacks {', '.join(missing)}; train anew, or name another checkpoint")
        t5 = FrozenT5.load(settings.learning.t5 or _near(str(found["t5"]), path))
        if t5.weights != found["t5_weights"]:
            raise ModelError(
                f"the T5 for {path} is not the one it was trained with; name that one with --set learning.t5=FOLDER"
            )
        try:
            return cls(found, t5, settings)
        except (TypeError, ValueError, AttributeError) as error:
            raise FormatError(
                f"{path} describes no policy ({error}); train anew, or name another checkpoint"
            ) from error

    def begin(self, seed: int) -> None:
        """Prepare for an episode: perception makes the errors of a seed."""
        self._policy.visual.begin(seed)

    def see(
        self,
        observation: Observation,
        phase: str,
        action: int,
        questions: Sequence[str],
        before: Belief | None,
    ) -> Belief:
        """The belief after a look.

        Args:
            action: number of the last one; negative where there was none yet.
            questions: those that are public.
            before: None at the start of an episode.
        """
        visual, asked = self._policy.visual, bool(questions)
        seen = looked(observation, visual.edge, phase, self._phases, action, len(self.actions), asked)
        with one_thread(), torch.no_grad():
            embedded = self._t5.embed(questions) if asked else None
            inputs = self._policy.inputs(seen, visual.look(observation), embedded)
            return Belief(*self._policy.step(inputs, self._policy.start(1) if before is None else before.state))

    def probabilities(self, belief: Belief) -> NDArray[np.float64]:
        """How likely each action is to be chosen, (A,)."""
        with one_thread(), torch.no_grad():
            logits = self._policy.network.actor(belief.belief)[0].double()
            return np.asarray(torch.softmax(logits, 0))

    def answers(self, belief: Belief, questions: Sequence[str]) -> list[tuple[str, float]]:
        """The answer to each question, and how likely the T5 holds it, 0..1; empty for none."""
        if not questions:
            return []
        with one_thread(), torch.no_grad():
            prefix = self._policy.network.prefix(belief.belief).expand(len(questions), -1, -1)
            texts = self._t5.answers(prefix, questions)
            held = torch.exp(-self._t5.loss(prefix, questions, texts)).tolist()
        return list(zip(texts, held, strict=True))


def _near(t5: str, checkpoint: Path) -> str:
    """A folder that is told from where the checkpoint lies, or a name that is no folder here.

    Raises:
        ModelError: a folder elsewhere, where a file from elsewhere may not lead.
    """
    inside = checkpoint.parent / t5
    folder = inside if inside.exists() else Path(t5)
    if not t5 or not folder.exists():
        return t5
    if not is_within(folder, checkpoint.parent):
        raise ModelError(
            f"{checkpoint} names the T5 {shown(t5)}, which is not beside it; give that by --set learning.t5=FOLDER"
        )
    return str(folder)
