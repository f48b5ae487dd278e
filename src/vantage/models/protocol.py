"""A Model answers prompts about images; every language or vision model is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Model(Protocol):
    """A chat model with eyes."""

    @property
    def name(self) -> str:
        """Goes into every answer that the model had a part in."""
        ...

    def chat(self, prompt: str, images: Sequence[NDArray[np.uint8]] = (), schema: dict[str, Any] | None = None) -> str:
        """The reply to a prompt with images (H, W, 3) uint8; JSON text where a schema is given."""
        ...

    def yes_probability(self, prompt: str, images: Sequence[NDArray[np.uint8]] = ()) -> float | None:
        """Probability of "yes" against "no" at the first position, 0..1, or None where the model cannot tell."""
        ...
