"""Models whose replies follow from a rule: one that sees colored squares, and several that nobody should trust."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np

from vantage.errors import ModelError

VERDICT = {
    "noise": "none",
    "false_claim": "",
    "correction": "",
    "corrected_question": "",
    "explanation": "",
    "answer": "",
}


def verdict(**fields) -> str:
    """The JSON of a reply."""
    return json.dumps({**VERDICT, **fields})


def share_of(color: str, image: np.ndarray) -> float:
    """Share of an image (H, W, 3) that is mainly red, green or blue."""
    k = ["red", "green", "blue"].index(color)
    pixels = image.astype(int)
    others = [pixels[..., j] for j in range(3) if j != k]
    return float(((pixels[..., k] > 120) & (others[0] < 90) & (others[1] < 90)).mean())


class RuleModel:
    """Replies by functions of prompt and images, and keeps what it was asked."""

    def __init__(
        self,
        reply: Callable[[str, np.ndarray], str] | str = "",
        yes: Callable[[str, np.ndarray], float | None] | float | None = None,
        with_schema: bool = True,
        name: str = "rule",
    ):
        self.name = name
        self._reply, self._yes, self._with_schema = reply, yes, with_schema
        self.chats: list[str] = []
        self.asked: list[str] = []

    def chat(self, prompt, images=(), schema=None, system="", image_names=()):
        self.chats.append(prompt)
        if schema is not None and not self._with_schema:
            raise ModelError("the model does not keep to a schema; ask in words")
        return self._reply(prompt, images[0]) if callable(self._reply) else self._reply

    def yes_probability(self, prompt, images=()):
        self.asked.append(prompt)
        return self._yes(prompt, images[0]) if callable(self._yes) else self._yes


class BrokenModel:
    """Nobody is there."""

    name = "broken"

    def chat(self, prompt, images=(), schema=None, system="", image_names=()):
        raise ModelError("the server at http://127.0.0.1:9 does not answer; start it")

    yes_probability = chat
