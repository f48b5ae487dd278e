"""What stands on something is shifted a little where it would enter it or stick out over its edge."""

from dataclasses import replace

import pytest
from small_house import imported, make_house, obj

from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.procthor.asset_database import COLORS_OF, Asset, AssetDatabase
from vantage.scenes.procthor.house_nudging import nudged


def on_table(sample, block, x, z=0.7):
    table = block(1, (0.0, 0.0, 0.0), (1.0, 1.0, 0.7))
    cup = replace(block(2, (x, 0.0, z), (0.1, 0.1, 0.2)), relation="on", parent=1)
    spoon = replace(block(3, (x, 0.0, z + 0.2), (0.04, 0.04, 0.02)), relation="on", parent=2)
    return sample(table, cup, spoon)


def positions(spec):
    return [obj.position for obj in spec.objects]


def test_what_stands_well_stays(sample, block):
    spec = on_table(sample, block, 0.2)
    assert nudged(spec) is spec


def test_what_sticks_out_is_pulled_in_with_what_is_on_it(sample, block):
    found = nudged(on_table(sample, block, 0.5))
    assert positions(found)[1:] == [
        pytest.approx((0.42, 0.0, 0.7), abs=0.03),
        pytest.approx((0.42, 0.0, 0.9), abs=0.03),
    ]
    assert [obj.parent for obj in found.objects] == [0, 1, 2]
    assert check_placement(found) == ()


def test_what_is_inside_the_top_is_lifted(sample, block):
    found = nudged(on_table(sample, block, 0.0, z=0.6))
    assert positions(found)[1:] == [(0.0, 0.0, 0.7), (0.0, 0.0, 0.9)]


def test_what_is_too_far_away_stays(sample, block):
    spec = on_table(sample, block, 0.0, z=0.2)
    assert nudged(spec) is spec


def house_with(*objects):
    house = make_house()
    house["objects"] = list(objects)
    return house


def test_a_basin_with_a_faucet_of_its_own_has_no_other_tap(tmp_path):
    assets = AssetDatabase(
        {"Sink_1": Asset("Sink_1", "Sink", (0.6, 0.7, 1.0)), "Faucet_1": Asset("Faucet_1", "Faucet", (0.2, 0.3, 0.2))}
    )
    faucet = obj("small|9", "Faucet_1", 0.78, 1.1, 1.0, 90)
    with_tap = imported(house_with(obj("1|0", "Sink_1", 1.0, 0.5, 1.0, 90)), tmp_path, assets).spec
    without = imported(house_with(obj("1|0", "Sink_1", 1.0, 0.5, 1.0, 90, [faucet])), tmp_path, assets).spec
    (sink,), (basin, tap) = (
        [each for each in spec.objects if each.label in ("sink", "faucet")] for spec in (with_tap, without)
    )
    assert len(basin.parts) < len(sink.parts)
    assert (tap.label, tap.parent, tap.color) == ("faucet", basin.instance_id, "gray")
    assert tap.position[2] == pytest.approx(1.0)
    assert len(tap.parts) > 1


def test_things_without_known_colors_have_one_that_they_come_in(tmp_path):
    things = [
        obj(f"1|{k}", f"{kind}_{k}", 0.5 + 0.05 * k, 0.3, 1.0)
        for k, kind in enumerate(("Lettuce", "Potato", "Tomato", "Egg", "LightSwitch"))
    ]
    found = imported(house_with(*things), tmp_path, None).spec
    colors = {each.label: each.color for each in found.objects}
    for kind, label in (("Lettuce", "lettuce"), ("Potato", "potato"), ("Tomato", "tomato"), ("Egg", "egg")):
        assert colors[label] in COLORS_OF[kind]
