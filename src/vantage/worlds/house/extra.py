"""Whether the physics of houses is installed."""

from __future__ import annotations

import importlib.util

from vantage.errors import MissingExtraError


def require_mujoco() -> None:
    """Fail with one sentence where the extra ``house`` is not installed.

    Raises:
        MissingExtraError: it is not.
    """
    if importlib.util.find_spec("mujoco") is None:
        raise MissingExtraError(
            "the world 'house' needs mujoco, which is not installed; run 'make setup WITH=house' or "
            "'pip install vantage-eqa[house]'"
        )
