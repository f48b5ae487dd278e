import numpy as np
import pytest

from vantage.scenes.catalog.containers import case, drawer, leaf, tub, with_compartments
from vantage.scenes.geometry.design import OAK, WHITE, Style

SHUT = Style("white", "wood", WHITE, ("closed",))
AJAR = Style("white", "wood", WHITE, ("open",))


def three_drawers():
    return [drawer(f"drawer {k + 1}", 0.2, 0.0, 0.1 + 0.2 * k, 0.4, 0.5, 0.2, WHITE, OAK) for k in range(3)]


def test_a_drawer_comes_out_by_three_quarters_of_its_depth_and_no_more_than_is_handy():
    assert drawer("drawer 1", 0.2, 0.0, 0.1, 0.4, 0.5, 0.2, WHITE, OAK).joint.high == pytest.approx(0.30)
    assert drawer("drawer 1", 0.4, 0.0, 0.1, 0.8, 0.5, 0.2, WHITE, OAK).joint.high == pytest.approx(0.35)


def test_objects_in_an_open_drawer_lie_where_they_can_be_seen():
    (place,) = drawer("drawer 1", 0.2, 0.0, 0.1, 0.4, 0.5, 0.2, WHITE, OAK).open
    assert place.x_min > 0.2
    assert place.x_max < 0.2 + 0.30


def test_one_of_several_drawers_is_open_and_only_it_can_be_reached():
    chosen = set()
    for seed in range(20):
        design = with_compartments(AJAR, np.random.default_rng(seed), (), three_drawers())
        out = [joint.part for joint in design.joints if joint.position > 0]
        assert [surface.name for surface in design.surfaces] == out
        assert len(out) == 1
        chosen.update(out)
    assert chosen == {"drawer 1", "drawer 2", "drawer 3"}


def test_closed_drawers_hide_objects_in_each():
    design = with_compartments(SHUT, np.random.default_rng(0), (), three_drawers())
    assert [surface.name for surface in design.surfaces] == ["drawer 1", "drawer 2", "drawer 3"]
    assert all(joint.position == 0 for joint in design.joints)


def test_an_open_and_a_closed_object_of_one_seed_are_the_same_but_for_their_drawers():
    for seed in range(5):
        first, second = np.random.default_rng(seed), np.random.default_rng(seed)
        with_compartments(SHUT, first, (), three_drawers())
        with_compartments(AJAR, second, (), three_drawers())
        assert first.random() == second.random()


@pytest.mark.parametrize("side", [-1, 1])
def test_a_door_hangs_at_the_edge_away_from_its_knob(side):
    (panel, knob), joint = leaf("door", 0.3, (-0.4, 0.1), (0.05, 0.8), WHITE, side)
    assert panel.size == pytest.approx((0.02, 0.5, 0.75))
    assert joint.origin[1] == (0.1 if side > 0 else -0.4)
    assert (knob.center[1] - panel.center[1]) * side < 0


def test_boards_enclose_the_inside_of_a_case_and_of_a_tub():
    for parts in (case(0.4, 0.6, 0.1, 0.9, WHITE), tub(0.4, 0.6, 0.1, 0.9, 0.02, WHITE)):
        low = np.min([np.subtract(part.center, np.multiply(0.5, part.size)) for part in parts], axis=0)
        high = np.max([np.add(part.center, np.multiply(0.5, part.size)) for part in parts], axis=0)
        assert low == pytest.approx((-0.2, -0.3, 0.1))
        assert high == pytest.approx((0.2, 0.3, 0.9))
        assert all(any(abs(part.center[k]) > 0.5 * part.size[k] for k in range(3)) for part in parts)
