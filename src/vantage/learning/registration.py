"""The environments under their names. Importing this module registers them, as Gymnasium does for names such as
``vantage.learning.registration:vantage/ActiveSearch-v0``; it has had no entry points since its version 1.
"""

from __future__ import annotations

import importlib.util

from vantage.errors import MissingExtraError

_TRAINING = ("gymnasium", "tensordict", "torch", "torchrl", "transformers")


def register() -> None:
    """Make the environments known to Gymnasium.

    Raises:
        MissingExtraError: it is not installed.
    """
    require_gymnasium()
    from gymnasium.envs.registration import register as made_known, registry

    for name, world in (("vantage/ActiveSearch-v0", "splat"), ("vantage/Excalibur-v0", "house")):
        if name not in registry:
            made_known(name, "vantage.learning.episode_env:EpisodeEnv", kwargs={"world": world})


def require_gymnasium() -> None:
    """
    Raises:
        MissingExtraError: Gymnasium is not installed.
    """
    if importlib.util.find_spec("gymnasium") is None:
        raise MissingExtraError(
            "environments for training need gymnasium, which is not installed; run 'make setup WITH=learning' or "
            "'pip install vantage-eqa[learning]'"
        )


def require_training() -> None:
    """
    Raises:
        MissingExtraError: what training needs is not installed.
    """
    missing = [name for name in _TRAINING if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"training needs {', '.join(missing)}, not installed here; run 'make setup WITH=learning' or "
            "'pip install vantage-eqa[learning]'"
        )


register()
