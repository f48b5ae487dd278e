import math

import pytest
from hypothesis import given, strategies as st

from vantage.scenes.geometry.design import Design, box, disc, hinge, named, opened, slide
from vantage.scenes.procthor.fitting import closed_extent, fitted, ledges

RED = (0.8, 0.1, 0.1)
DOOR = named("door", [box(0.21, 0, 0.1, 0.02, 0.8, 0.8, RED)])
DRAWER = named("drawer", [box(0.2, 0, 0.9, 0.02, 0.8, 0.1, RED)])
CASE = [box(0, 0, 0, 0.4, 0.8, 0.1, RED), box(0, 0, 0.4, 0.4, 0.8, 0.02, RED), box(0, 0, 1.0, 0.4, 0.8, 0.02, RED)]
JOINTS = (hinge("door", (0.0, 0.0, 1.0), (0.2, -0.4, 0.0)), slide("drawer", (0.0, 0.0, 0.9), 0.3))
CABINET = Design((*CASE, *DOOR, *DRAWER), (), JOINTS)

sizes = st.tuples(st.floats(0.05, 3), st.floats(0.05, 3), st.floats(0.05, 3))


@given(sizes, st.booleans())
def test_a_design_fills_its_box_while_closed(size, is_open):
    design = fitted(opened(CABINET) if is_open else CABINET, size)
    low, high = closed_extent(design)
    assert low == pytest.approx((-0.5 * size[0], -0.5 * size[1], 0.0), abs=2e-3)
    assert high == pytest.approx((0.5 * size[0], 0.5 * size[1], size[2]), abs=2e-3)


def test_what_stands_open_still_does():
    size = (0.84, 1.6, 1.02)
    design = fitted(opened(CABINET), size)
    leaf = next(part for part in design.parts if part.name == "door")
    assert leaf.size == pytest.approx((1.6, 0.04, 0.8), abs=2e-3)  # as wide as the case, and along x
    assert [joint.position for joint in design.joints] == pytest.approx([0.5 * math.pi, 0.6])
    drawer = next(part for part in design.parts if part.name == "drawer")
    closed = next(part for part in fitted(CABINET, size).parts if part.name == "drawer")
    assert drawer.center[0] - closed.center[0] == pytest.approx(0.6)


def test_shelves_are_moved_to_the_heights_asked_for():
    design = fitted(CABINET, (0.4, 0.8, 2.04), [(0.84, 1.0)])
    heights = [round(ledge.z, 3) for ledge in ledges(design.parts)]
    assert 1.0 in heights
    assert max(heights) == 2.04
    assert heights[0] == pytest.approx(0.2 * 1.0 / 0.84, abs=1e-3)


def test_ledges_are_tops_of_solid_primitives():
    shell = disc(0, 0, 0.1, 0.3, 0.1, RED, "", ("z+",))
    (ledge,) = ledges([box(0, 0, 0, 1.0, 2.0, 0.1, RED), shell])
    assert ledge.z == pytest.approx(0.1)
    assert ledge.share_of((0.4, 0.0), (0.6, 1.0)) == pytest.approx(0.5)
    assert ledge.share_of((1.0, 0.0), (1.2, 1.0)) == 0.0
