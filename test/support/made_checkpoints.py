"""Checkpoints of agents that nobody trained, with likings for some actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import torch

from vantage.config import Settings
from vantage.learning import checkpoint
from vantage.learning.frozen_t5 import FrozenT5
from vantage.learning.network_inputs import body_size
from vantage.learning.policy import Policy, PolicyShape
from vantage.learning.tiny_t5 import make_tiny_t5

PAIRS = [
    *(("What color is the ball?", color) for color in ("red", "blue")),
    *(("Is there a ball?", said) for said in ("yes", "no")),
]


def made_checkpoint(
    folder: Path,
    actions: Sequence[str],
    phases: Sequence[str],
    likes: Mapping[str, float] | None = None,
    features: str = "pixels",
    agent: str = "novelty+qa",
    settings: Settings | None = None,
) -> Path:
    """The folder, in which a T5 lies, too.

    Args:
        likes: what is added to the logits of actions.
    """
    make_tiny_t5(folder / "t5", PAIRS, steps=20)
    t5 = FrozenT5.load(folder / "t5")
    shape = PolicyShape(features, 36, len(actions), body_size(phases), t5.size, 3, 16)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        policy = Policy(shape, settings)
    with torch.no_grad():
        for name, by in (likes or {}).items():
            policy.network.actor[-1].bias[list(actions).index(name)] += by
    payload = {
        "agent": agent,
        "shape": asdict(shape),
        "learned": policy.learned(),
        "phases": list(phases),
        "actions": list(actions),
        "t5": "t5",
        "t5_weights": t5.weights,
        "visual_weights": policy.visual.weights,
    }
    checkpoint.save(folder, payload)
    return folder
