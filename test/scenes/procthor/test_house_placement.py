"""Houses as others draw them: concave rooms, open sides, guessed sizes, objects astray."""

import copy
import gzip
import json
import random

import pytest
from row_tables import each_row
from small_house import around, imported, make_house, obj, only, opening, room, saved, wall

from vantage.errors import SceneError
from vantage.scenes.checks.scene_checks import check_placement
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.procthor.asset_database import AssetDatabase
from vantage.scenes.procthor.house_import import import_house
from vantage.scenes.spec.outlines import points_inside
from vantage.scenes.spec.spec import object_bounds

ALCOVE = [(0, 0), (0, 5), (6, 5), (6, 0), (4, 0), (4, 3), (2, 3), (2, 0)]  # the mean of its corners is not inside
NICHE = [(2, 0), (2, 3), (4, 3), (4, 0)]


@pytest.fixture
def house():
    return make_house()


def faults(spec, kind):
    return [fault.message for fault in check_placement(spec) if fault.kind == kind]


def sound(spec):
    SceneGraph.from_spec(spec).check()
    return spec


def test_a_room_around_another_does_not_overlap_it(house, tmp_path):
    house["rooms"] = [room(1, "Bedroom", ALCOVE), room(2, "Bathroom", NICHE)]
    house["walls"] = [*around(1, ALCOVE), *around(2, NICHE)]
    house["doors"] = [opening("door|1", "wall|2|2.00|3.00|4.00|3.00", (2, 1), (0.5, 0), (1.4, 2.0), openness=1)]
    house["windows"], house["objects"] = [], []
    spec = sound(imported(house, tmp_path).spec)
    assert check_placement(spec) == ()


def test_an_open_side_is_not_walled_up(house, tmp_path):
    house["doors"], house["objects"] = [], []
    for each in house["walls"]:
        if {(corner["x"], corner["z"]) for corner in each["polygon"]} == {(4, 0), (4, 2)}:
            each["empty"] = True
    spec = imported(house, tmp_path).spec
    assert [way.kind for way in spec.openings] == ["window", "doorway"]
    assert check_placement(spec) == ()


def test_only_the_stretch_that_both_rooms_leave_open_is_open(house, tmp_path):
    house["doors"], house["objects"] = [], []
    house["walls"] = [each for each in house["walls"] if each["id"] != "wall|2|4.00|0.00|4.00|2.00"]
    house["walls"] += [wall(2, 4, 0, 4, 1) | {"empty": True}, wall(2, 4, 1, 4, 2)]
    for each in house["walls"]:
        if each["id"] == "wall|1|4.00|2.00|4.00|0.00":
            each["empty"] = True
    spec = imported(house, tmp_path).spec
    gap = next(way for way in spec.openings if way.kind == "doorway")
    assert (gap.low[1], gap.high[1]) == pytest.approx((0.02, 0.98))
    assert faults(spec, "opening") == []


def test_rooms_that_miss_each_other_by_millimetres_share_a_line(house, tmp_path):
    for corner in house["rooms"][1]["floorPolygon"]:
        corner["x"] -= 0.008
    kitchen, bedroom = imported(house, tmp_path).spec.rooms
    assert max(x for x, _ in kitchen.outline) == pytest.approx(3.992 - 0.02)
    assert min(x for x, _ in bedroom.outline) == pytest.approx(3.992 + 0.02)


def test_a_door_leads_to_the_room_that_is_behind_it(house, tmp_path):
    house["doors"][0] |= {"room1": "room|2", "wall1": "wall|exterior|x"}
    spec = imported(house, tmp_path).spec
    assert spec.openings[0].rooms == (2, 1)
    assert faults(spec, "opening") == []


def test_a_bed_of_a_guessed_size_ends_at_the_wall(house, tmp_path):
    house["objects"] = [obj("2|0", "Bed_9", 6.6, 0.45, 1.0, 90)]  # 2.24 m long, so 0.7 m beyond the wall
    found = imported(house, tmp_path)
    low, high = object_bounds(only(sound(found.spec), "bed"))
    assert high[0] == pytest.approx(7 - 0.02, abs=1e-3)
    assert low[0] == pytest.approx(6.6 - 1.12, abs=1e-3)
    assert found.warnings[-1] == "1 objects that reach out of their rooms are clipped: 2|0"
    assert faults(found.spec, "outside") == []


@each_row(
    "turn, x, z",
    [(0, 3.7, 0.4), (45, 3.5, 0.5), (77, 1.9, 2.2), (10, 0.2, 3.8), (90, 2.1, 1.9), (300, 6.9, 1.9)],
)
def test_whatever_its_turn_an_object_stays_in_its_room(tmp_path, turn, x, z):
    house = make_house()
    house["objects"] = [obj("a", "Sofa_9", x, 0.4, z, turn)]
    found = imported(house, tmp_path, None)
    objects = [each for each in sound(found.spec).objects if each.label == "sofa"]
    for each in objects:
        outline = next(other.outline for other in found.spec.rooms if other.room_id == each.room)
        low, high = object_bounds(each)
        if turn % 90 == 0:
            inner = [(low[0] + 0.07, low[1] + 0.07), (high[0] - 0.07, high[1] - 0.07)]
            assert points_inside(outline, *zip(*inner, strict=True)).all()
        assert high[2] <= 2.5
    assert objects or "left out" in found.warnings[-1]


def test_what_is_outside_of_all_rooms_is_left_out_with_what_is_on_it(house, tmp_path):
    house["objects"] = [obj("far", "Dining_Table_1", 9.0, 0.35, 9.0, 0, [obj("mug", "Mug_1", 9.0, 0.75, 9.0)])]
    found = imported(house, tmp_path)
    assert not any(each.label in ("table", "mug") for each in found.spec.objects)
    assert found.warnings == ("2 objects that are in no room are left out: far, mug",)


def test_nothing_is_in_the_air(house, tmp_path):
    house["objects"] = [
        obj("1", "Dining_Table_1", 5.0, 0.35, 1.0),
        obj("2", "Egg_1", 5.0, 1.2, 1.0),
        obj("3", "Egg_1", 5.0, 1.0, 0.1),
        obj("4", "Painting_1", 5.0, 1.6, 1.9, 180),
    ]
    spec = sound(imported(house, tmp_path).spec)
    table, picture = only(spec, "table"), only(spec, "picture")
    eggs = [each for each in spec.objects if each.label == "egg"]
    on_floor, on_table = sorted(eggs, key=lambda each: each.position[2])
    assert (on_table.parent, on_table.position[2]) == (table.instance_id, pytest.approx(0.7, abs=2e-3))
    assert (on_floor.parent, on_floor.position[2]) == (0, 0.0)
    assert next(each for each in spec.objects if each.instance_id == picture.parent).label == "wall"
    assert object_bounds(picture)[1][1] == pytest.approx(1.98, abs=2e-3)


def test_what_is_wider_than_a_basket_is_not_in_it(house, tmp_path):
    house["objects"] = [
        obj("1", "LaundryHamper_1", 5.5, 0.37, 1.0, 0, [obj("2", "Dining_Table_1", 5.5, 0.4, 1.0)]),
    ]
    assert "in" not in {each.relation for each in sound(imported(house, tmp_path).spec).objects}


def test_ten_thousand_objects_are_refused(house, tmp_path):
    house["objects"] = [obj(str(k), "Egg_1", 1.0, 0.1, 1.0) for k in range(10_000)]
    with pytest.raises(SceneError, match="has 10000 objects, at most 5000") as caught:
        imported(house, tmp_path)
    assert "\n" not in str(caught.value)


def points(house):
    """All points of a house, to be changed in place."""
    for each in (*house["rooms"], *house["walls"]):
        yield from each.get("floorPolygon", each.get("polygon"))
    for each in everything(house):
        yield each["position"]


def everything(house):
    waiting = list(house["objects"])
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.get("children", [])


def perturbed(house, rng):
    """A house mirrored, turned, with objects left out, replaced, moved or turned, and lines off by millimetres."""
    house = copy.deepcopy(house)
    if rng.random() < 0.5:
        for point in points(house):
            point["x"] = -point["x"]
    for _ in range(rng.randrange(4)):
        for point in points(house):
            point["x"], point["z"] = point["z"], -point["x"]
        for each in everything(house):
            each["rotation"]["y"] += 90
    house["objects"] = [each for each in house["objects"] if rng.random() < 0.8]
    for each in house["rooms"]:
        aside = rng.uniform(-0.004, 0.004)
        for point in each["floorPolygon"]:
            point["x"] += aside
    for each in everything(house):
        if rng.random() < 0.2:
            each["assetId"] = rng.choice(["Gizmo_3", "Wardrobe_1", "Sofa_1", "TV_Stand_2", "a8f3bc2290de4471", "Egg_9"])
        if rng.random() < 0.1:
            each["rotation"]["y"] += rng.choice([13, 45, 90])
        if rng.random() < 0.1:
            each["position"]["x"] += rng.uniform(-1, 1)
    for each in house["walls"]:
        if rng.random() < 0.05:
            each["empty"] = True
    return house


@pytest.mark.needs("data")
def test_real_houses_however_they_are_turned(data_folder, tmp_path):
    database = AssetDatabase.load(data_folder / "ai2thor-assets" / "asset-database.json")
    with gzip.open(data_folder / "procthor-houses" / "dev.jsonl.gz") as lines:
        houses = [json.loads(line) for line in lines]
    for number in range(25):
        rng = random.Random(number)
        path = saved(perturbed(houses[number % len(houses)], rng), tmp_path)
        found = import_house(path, 0, rng.choice([database, None]))
        SceneGraph.from_spec(found.spec).check()
        assert faults(found.spec, "enclosure") == []
        fillers = {way.instance for way in found.spec.openings}
        for each in found.spec.objects:
            if not (each.is_structure or each.parent or each.instance_id in fillers):
                assert object_bounds(each)[0][2] == pytest.approx(0.0, abs=0.004)
