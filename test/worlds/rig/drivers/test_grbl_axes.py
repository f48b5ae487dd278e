import re
from pathlib import Path

import numpy as np
import pytest
from grbl_peer import SETTINGS
from grbl_rig import JOINTS, LETTERS, small_axes
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.decoding import Section
from vantage.errors import ConfigError, HardwareError
from vantage.worlds.rig.drivers.grbl_axes import read_axes

NUMBERS = {key: float(value) for key, value in SETTINGS.items()}


@given(st.lists(st.floats(-3.0, 3.0), min_size=5, max_size=5))
@settings(max_examples=examples(100))
def test_positions_survive_the_wire(values):
    axes = small_axes(zeros={"pan": 3.2, "x": -0.1})
    words = axes.words(np.array(values))
    wire = tuple(float(text) for text in re.findall(r"[XYZAB](-?\d+\.\d{4})", words))
    assert np.all(np.abs(axes.positions(wire) - values) <= 0.51e-4 / axes.scale)


def test_units_are_mm_and_degrees():
    assert small_axes().words(np.array([0.5, 0.0, 1.0, np.pi, -np.pi / 2])) == (
        "X500.0000Y0.0000Z1000.0000A180.0000B-90.0000"
    )


def test_machine_zero_may_lie_anywhere():
    axes = small_axes(zeros={"pan": 3.2})
    assert axes.positions((0.0, 0.0, 0.0, 0.0, 0.0))[3] == pytest.approx(3.2)


def test_axes_may_come_in_any_order():
    section = Section({"axes": {**LETTERS, "pan": "B", "tilt": "C"}}, "rig.yaml: driver", Path("."))
    axes = read_axes(section, JOINTS)
    assert axes.count == 6
    assert np.allclose(axes.positions((1.0, 2.0, 3.0, 99.0, 180.0, 90.0))[3:], [np.pi, np.pi / 2])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"axes": {"x": "X"}}, "axes.y: is missing"),
        ({"axes": {**LETTERS, "tilt": "A"}}, "letter A is used for more than one joint"),
        ({"axes": {**LETTERS, "tilt": "Q"}}, "expected one of X, Y, Z"),
        ({"axes": {**LETTERS, "roll": "C"}}, "unknown key"),
        ({"zeros": {"roll": 1.0}}, "unknown key"),
    ],
)
def test_wrong_axes_are_told(changes, words):
    with pytest.raises(ConfigError, match=re.escape(words)):
        small_axes(**changes)


def test_fitting_settings_pass():
    small_axes().check(NUMBERS)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"20": 0.0}, "soft limits are off ($20), set $20=1"),
        ({"22": 0.0}, "homing is off ($22), set $22=1"),
        ({"13": 1.0}, "reports inches ($13), set $13=0"),
        ({"102": 410.0}, "$102 is 410 steps per mm, but a resolution of 2.5e-06 m of joint 'z' means 400"),
        ({"110": 14000.0}, "$110 is 14000 mm/min, but joint 'x' needs 15000"),
        ({"123": 400.0}, "$123 is 400 degrees/s^2, but joint 'pan' needs 458.366"),
        ({"131": 1000.0}, "$131 is 1000 mm, but joint 'y' needs 1580"),
    ],
)
def test_settings_that_do_not_fit_are_named(change, words):
    with pytest.raises(HardwareError, match=re.escape(words)):
        small_axes().check({**NUMBERS, **change})


def test_all_wrong_settings_are_named_at_once():
    with pytest.raises(HardwareError, match=r"\$20.*\$100.*\$124"):
        small_axes().check({**NUMBERS, "20": 0.0, "100": 1.0, "124": 1.0})


def test_a_missing_setting_is_named():
    with pytest.raises(HardwareError, match=r"does not tell \$114 for joint 'tilt'"):
        small_axes().check({key: value for key, value in NUMBERS.items() if key != "114"})


def test_resolution_may_be_off_by_less_than_a_percent():
    small_axes().check({**NUMBERS, "100": 80.7})
