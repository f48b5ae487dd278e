"""The rig files in ``config``, and whether the figures in docs/hardware.md are those of the rig that it builds."""

import math
import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from row_tables import each_row

from vantage.config import Settings
from vantage.errors import HardwareError
from vantage.registry import CAMERAS, DRIVERS
from vantage.types import ArmTarget
from vantage.worlds.rig.arm import make_arm
from vantage.worlds.rig.clock import SystemClock
from vantage.worlds.rig.description import LookRules, SafetyRules, WatchdogRules, load_rig, rig_file
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.drivers.grbl_axes import read_axes
from vantage.worlds.rig.drivers.grbl_driver import make_grbl
from vantage.worlds.rig.drivers.grbl_motion import BRAKE
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.kinematics.chain import PRISMATIC
from vantage.worlds.rig.kinematics.workspace import bounds
from vantage.worlds.rig.parts import RigParts

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")
FILES = [ROOT / "config" / "rig.yaml", *sorted((ROOT / "config" / "rigs").glob("*.yaml"))]
RIG = load_rig(FILES[0])
LETTERS = "XYZAB"


def firmware_settings():
    """Setting by number, as the table of the page tells them."""
    settings = {}
    for names, values in re.findall(r"^\| (\$\d[^|]*) \| ([\d., ]+) \|", PAGE, re.MULTILINE):
        first, _, last = names.partition("-")
        numbers = [int(name.strip(" $")) for name in names.split(",")] if not last else None
        numbers = numbers or [*range(int(first[1:]), int(last[1:]) + 1)]
        parts = [float(value) for value in values.split(",")]
        assert len(parts) == len(numbers), f"{names}: {values}"
        settings.update({str(number): part for number, part in zip(numbers, parts, strict=True)})
    return settings


SETTINGS = firmware_settings()


def axes():
    return read_axes(RIG.driver, RIG.chain.joints)


def fluidnc():
    """The fragment of FluidNC's configuration."""
    return yaml.safe_load(next(text for text in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL) if "mpos_mm" in text))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_file_loads(path):
    rig = load_rig(path)
    assert rig.chain.size == len(rig.chain.joints) >= 1
    assert rig_file("" if path == FILES[0] else path.stem).samefile(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_rig_reaches_the_middle_of_its_space(path):
    chain = load_rig(path).chain
    middle = 0.5 * (chain.lower + chain.upper)
    seen = chain.viewpoint(middle)
    assert np.abs(chain.T_world_camera(inverse.solve(chain, seen, chain.lower))[:3, 3] - seen.position).max() < 1e-6


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_rig_brakes_within_what_may_wait_in_a_controller(path):
    for joint in load_rig(path).chain.joints:
        assert joint.speed / joint.acceleration <= QUEUE


def test_the_driver_takes_its_section():
    assert make_grbl(RIG.driver, RIG).joints == RIG.chain.joints


def test_the_page_and_the_rig_agree_as_the_driver_sees_it():
    axes().check(SETTINGS)


@each_row("number", ["100", "104", "110", "112", "113", "121", "124", "130", "133", "20", "22"])
def test_the_driver_would_tell_a_wrong_figure(number):
    with pytest.raises(HardwareError, match=rf"\${number}"):
        axes().check({**SETTINGS, number: 0.5 * SETTINGS[number] if int(number) >= 100 else 0.0})


def test_steps_are_the_resolution():
    for i, joint in enumerate(RIG.chain.joints):
        step = joint.resolution * (1000.0 if joint.kind == PRISMATIC else 180.0 / math.pi)
        assert SETTINGS[f"10{i}"] * step == pytest.approx(1.0, abs=1e-5)


def test_speed_is_reached_and_rates_have_room():
    assert f"`acceleration` x {BRAKE:g} s" in PAGE
    for i, joint in enumerate(RIG.chain.joints):
        scale = 1000.0 if joint.kind == PRISMATIC else 180.0 / math.pi
        assert joint.speed <= joint.acceleration * BRAKE + 1e-9
        assert SETTINGS[f"11{i}"] / 60.0 >= 1.1 * joint.speed * scale
        assert SETTINGS[f"12{i}"] >= 1.1 * joint.acceleration * scale


def test_the_firmware_lets_the_rig_go_everywhere_and_homes_inside_its_limits():
    """Where grblHAL lets an axis go when homing makes the homed place its origin: see 'Where zero is'."""
    assert int(SETTINGS["22"]) & 8
    wired = axes()
    low, high = ((end - wired.zeros) * wired.scale for end in (RIG.chain.lower, RIG.chain.upper))
    for i, letter in enumerate(LETTERS):
        assert wired.letters[i] == letter
        length = SETTINGS[f"13{i}"] - SETTINGS["27"]
        allowed = (0.0, length) if int(SETTINGS["23"]) >> i & 1 else (-length, 0.0)
        assert allowed[0] - 1e-6 <= low[i] < high[i] <= allowed[1] + 1e-6, letter
        assert length - (high[i] - low[i]) <= 1.0, f"{letter}: soft limits of the firmware that guard nothing"
    assert np.all(wired.zeros >= RIG.chain.lower)
    assert np.all(wired.zeros <= RIG.chain.upper)


def test_z_homes_first_and_upwards():
    assert int(SETTINGS["44"]) == 0b100
    assert not int(SETTINGS["23"]) & 0b100
    assert sorted(bit for key in ("44", "45", "46") for bit in range(5) if int(SETTINGS[key]) >> bit & 1) == [*range(5)]


def test_homing_ends_before_a_reset_gives_up():
    """From the far end, all axes, with three slow touches of a pull-off each."""
    seek, locate = SETTINGS["25"] / 60.0, SETTINGS["24"] / 60.0
    travel = [SETTINGS[f"13{i}"] for i in range(5)]
    ways = (travel[2], max(travel[:2]), max(travel[3:]))
    assert sum(way / seek + 3.0 * SETTINGS["27"] / locate for way in ways) < 0.9 * RIG.motion_timeout


def test_fluidnc_does_the_same_without_zeros():
    joint, z = RIG.chain.joints[2], fluidnc()["axes"]["z"]
    home = z["homing"]["mpos_mm"]
    assert z["homing"]["positive_direction"] is True
    assert home == pytest.approx(1000.0 * joint.upper)
    assert home - z["max_travel_mm"] <= 1000.0 * joint.lower
    assert (z["steps_per_mm"], z["max_rate_mm_per_min"]) == (SETTINGS["102"], SETTINGS["112"])
    assert (z["acceleration_mm_per_sec2"], z["motor0"]["pulloff_mm"]) == (SETTINGS["122"], SETTINGS["27"])
    others = re.search(r"`mpos_mm: (\d+)`, a and b in\s+cycle 3\s+with\s+(-[\d.]+)\s+and\s+(-[\d.]+)\.", PAGE)
    assert others is not None
    low = RIG.chain.lower
    assert [float(value) for value in others.groups()] == pytest.approx(
        [1000.0 * low[0], math.degrees(low[3]), math.degrees(low[4])], abs=0.01
    )
    assert low[0] == low[1]


def test_the_page_tells_the_space_of_the_camera():
    low, high = RIG.chain.lower, RIG.chain.upper
    space = bounds(RIG.chain)
    assert "2.0 x 1.6 x 1.2 m, between 0.3 and 1.5 m" in PAGE
    assert np.round(high[:3] - low[:3], 1).tolist() == [2.0, 1.6, 1.2]
    assert (space.low[2], space.high[2]) == pytest.approx((0.3, 1.5), abs=0.1)
    turn, up = (int(n) for n in re.search(r"turns (\d+) degrees and looks (\d+) degrees", PAGE).groups())
    assert (turn, up) == (round(math.degrees(high[3] - low[3])), round(math.degrees(high[4])))


def test_the_arm_of_the_example_can_be_made():
    rig = load_rig(ROOT / "config" / "rigs" / "arm_robot.yaml")
    with ExitStack() as stack:
        arm = stack.enter_context(make_arm(rig, "simulated", stack))
        assert arm.check(arm.pose("tucked")) is None
        assert arm.check(ArmTarget(gripper_width=0.04, gripper_force=40.0)) is None
        assert "40" in (arm.check(ArmTarget(gripper_width=0.04, gripper_force=41.0)) or "")
        arm.move(arm.pose("tucked"), 10.0)
        assert arm.joints()["right_forearm_joint"] == pytest.approx(2.4)


@pytest.mark.needs("ros")
def test_ros_takes_the_sections_of_the_example():
    rig = load_rig(ROOT / "config" / "rigs" / "arm_robot.yaml")
    assert rig.camera.text("name") == rig.camera_name
    parts = RigParts(Settings(), rig, SystemClock(), lambda: rig.chain.lower)
    assert "rgb" in CAMERAS.create(rig.camera_name, rig.camera, parts).senses
    assert DRIVERS.create(rig.driver_name, rig.driver, rig).joints == rig.chain.joints


def test_the_camera_takes_its_section():
    assert RIG.camera.text("name") == RIG.camera_name
    parts = RigParts(Settings(), RIG, SystemClock(), lambda: RIG.chain.lower)
    assert CAMERAS.create(RIG.camera_name, RIG.camera, parts).senses == frozenset({"rgb"})


@pytest.mark.parametrize("rules", [WatchdogRules(), LookRules()], ids=lambda rules: type(rules).__name__)
def test_the_page_tells_the_defaults(rules):
    section = "watchdog" if isinstance(rules, WatchdogRules) else "look"
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{section}` |"))
    told = {key: float(value) for key, value in re.findall(r"`(\w+)` ([\d.]+)", row)}
    assert told == {key: float(value) for key, value in vars(rules).items()}


def test_the_page_tells_every_key_of_safety():
    row = next(line for line in PAGE.splitlines() if line.startswith("| `safety` |"))
    for key in vars(SafetyRules()):
        assert f"`{key}`" in row


def test_the_mast_is_as_long_as_the_page_says():
    bridge, mast = (next(body for body in RIG.safety.bodies if body.name == name) for name in ("bridge", "mast"))
    reach = 2.0 * bridge.start[2] - 0.1 - 0.3
    assert RIG.chain.joints[2].upper + 0.01 + mast.end[2] == pytest.approx(reach, abs=0.01)
    assert f"the mast reaches {reach:.1f} m at the top" in PAGE


def test_a_rig_that_is_slower_than_its_file_is_told():
    joints = tuple(replace(joint, speed=2.0 * joint.speed) for joint in RIG.chain.joints)
    with pytest.raises(HardwareError, match="joint 'x' needs 24000"):
        read_axes(RIG.driver, joints).check(SETTINGS)
