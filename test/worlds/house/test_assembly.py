"""What is said where the extra is not installed; needs no MuJoCo."""

import pytest

from vantage.config import Settings
from vantage.errors import MissingExtraError
from vantage.registry import WORLDS


def test_without_mujoco_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("vantage.worlds.house.extra.importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"make setup WITH=house.*vantage-eqa\[house\]"):
        WORLDS.create("house", Settings())
