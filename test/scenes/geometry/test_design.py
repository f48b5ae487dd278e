from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st
from row_tables import each_row

from vantage.scenes.catalog.catalog import CATALOG
from vantage.scenes.generator.object_models import design_model
from vantage.scenes.geometry.design import Design, box, hinge, opened, scaled, slide
from vantage.scenes.geometry.movement import QUARTER, moved
from vantage.scenes.spec.spec import ObjectSpec, object_bounds

OPENING = sorted(name for name, kind in CATALOG.items() if any("open" in axis[1:] for axis in kind.states))
NUMBERS = st.floats(-2.0, 2.0)
LENGTHS = st.floats(0.01, 2.0)


def bounds(parts, name=None):
    chosen = tuple(part for part in parts if name is None or part.name == name)
    return object_bounds(ObjectSpec(1, "thing", "", "", (0.0, 0.0, 0.0), 0.0, chosen))


@each_row("name", OPENING)
@each_row("seed", [0, 1, 2, 3])
def test_what_has_been_opened_shuts_to_the_closed_object(name, seed):
    states = {axis[0] for axis in CATALOG[name].states} - {"closed"}
    shut = design_model(name, np.random.default_rng(seed), states=("closed", *states)).design
    ajar = design_model(name, np.random.default_rng(seed), states=("open", *states)).design
    assert all(joint.position == joint.low for joint in shut.joints)
    assert any(joint.position == joint.high for joint in ajar.joints)
    for joint in ajar.joints:
        assert joint.part != "body"
        parts = [part for part in ajar.parts if part.name == joint.part]
        back = [moved(part, joint, joint.low - joint.position) for part in parts]
        for there, here in zip(bounds(back), bounds(shut.parts, joint.part), strict=True):
            assert there == pytest.approx(here, abs=1e-5)
        if joint.position == joint.high:
            assert bounds(parts) != bounds(shut.parts, joint.part)
    before, after = bounds(shut.parts), bounds(ajar.parts)
    assert after[0][2] >= -1e-6
    assert any(after[side][k] != pytest.approx(before[side][k], abs=0.01) for side in (0, 1) for k in range(3))


@each_row("name", OPENING)
def test_an_open_object_does_not_reach_through_its_floor_or_far_through_its_back(name):
    for seed in range(4):
        low, _ = bounds(design_model(name, np.random.default_rng(seed), states=("open",)).design.parts)
        shut, _ = bounds(design_model(name, np.random.default_rng(seed), states=("closed",)).design.parts)
        assert low[2] > -1e-6
        assert low[0] > shut[0] - 0.12


def test_only_the_named_parts_are_opened():
    door = replace(box(0.0, 0.0, 0.0, 0.1, 0.2, 0.3, (1.0, 1.0, 1.0)), name="door")
    other = replace(door, name="drawer")
    joints = (hinge("door", (0.0, 0.0, 1.0), (0.05, 0.1, 0.0)), slide("drawer", (0.0, 0.0, 0.0), 0.2))
    design = opened(Design((door, other), (), joints), {"drawer"})
    assert design.parts[0] == door
    assert design.parts[1].center[0] == pytest.approx(0.2)
    assert [joint.position for joint in design.joints] == [0.0, 0.2]


def test_a_object_of_twice_the_size_opens_twice_as_far():
    design = design_model("nightstand", np.random.default_rng(0), states=("open",)).design
    large = scaled(design, 2.0)
    assert np.allclose(bounds(large.parts), 2 * np.asarray(bounds(design.parts)))
    assert [joint.high for joint in large.joints] == [2 * joint.high for joint in design.joints]
    assert large.surfaces[0].z == 2 * design.surfaces[0].z
    door = scaled(design_model("cabinet", np.random.default_rng(0)).design, 2.0).joints[0]
    assert door.high == QUARTER
