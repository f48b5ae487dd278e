"""Every setting is shared on purpose, or refused where a file from elsewhere says it."""

from __future__ import annotations

from typing import Any

import pytest

from vantage.config import Settings, all_settings
from vantage.errors import ConfigError
from vantage.shared_settings import PASSED_OVER, may_say, shared_values, sharing

SHARED = {  # what gold data depend on, and what of a task is the same for everybody
    *("camera.width", "camera.height", "camera.horizontal_fov", "world.body_radius", "world.voxel"),
    *("house.depth_width", "house.depth_height", "house.max_hand_translation", "house.max_hand_rotation"),
    *("limits.pitch_min", "limits.pitch_max", "limits.max_translation", "limits.max_rotation"),
    *("actions.translation", "actions.rotation", "actions.space", "actions.frame"),
    *("actions.hand_step", "actions.wrist_turn", "actions.force_step", "actions.force_max"),
    *("agent.last_look", "agent.hidden_contents", "agent.step_discount", "agent.perception"),
    *("relations.touch", "relations.beside", "relations.near", "relations.overlap"),
    *("relations.direction", "relations.reach", "relations.ratio"),
}
KEYS = [f"{group}.{item.name}" for group, item in all_settings()]
DEFAULTS: dict[str, Any] = {f"{group}.{item.name}": item.default for group, item in all_settings()}


def test_what_is_shared_is_meant_to_be() -> None:
    assert {key for key, shared in sharing().items() if shared} == SHARED
    assert set(KEYS) >= SHARED


@pytest.mark.parametrize("key", KEYS)
def test_each_setting_is_shared_or_refused_by_name(key: str) -> None:
    values = {key: DEFAULTS[key]}
    if key in SHARED:
        assert shared_values(values, "a/set.json") == (values, ())
        Settings().with_values(values, "a/set.json")
    elif key in PASSED_OVER:
        assert shared_values(values, "a/set.json") == ({}, (key,))
    else:
        with pytest.raises(ConfigError) as caught:
            shared_values(values, "a/set.json")
        sentence = str(caught.value)
        assert sentence.startswith(f"a/set.json says the setting {key}, ")
        assert sentence.endswith("put it into your own --config or --set")


@pytest.mark.parametrize("key", KEYS)
def test_nothing_is_shared_that_could_name_a_file_an_address_or_a_model(key: str) -> None:
    group = key.partition(".")[0]
    if group in ("model", "learning", "run", "rig", "pixels", "control", "judge", "training", "degraded"):
        assert sharing()[key] is False
    if sharing()[key] is True and isinstance(DEFAULTS[key], str):
        assert key in ("actions.space", "actions.frame"), "a registered name, or one of three words"


def test_a_set_chooses_no_perceiver_that_asks_a_model() -> None:
    assert may_say("agent.perception", "degraded")
    with pytest.raises(
        ConfigError, match=r"agent\.perception='vlm', which .* \(it may say none, privileged, degraded\)"
    ):
        shared_values({"agent.perception": "vlm"}, "set.json")
    with pytest.raises(ConfigError, match=r"agent\.perception=\['vlm'\]"):
        shared_values({"agent.perception": ["vlm"]}, "set.json")


def test_a_key_that_is_no_setting_is_left_to_who_reads_its_value() -> None:
    assert shared_values({"camera.widht": 3}, "set.json") == ({"camera.widht": 3}, ())
