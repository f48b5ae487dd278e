"""Houses of ProcTHOR: what becomes of them, what comes back, and what is refused."""

import copy
import gzip
import json
import math

import pytest
from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples
from small_house import ASSETS, imported, make_house, obj, only, room, saved, wall

from vantage.errors import FormatError, SceneError, UsageError, VantageError
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.procthor.asset_database import CLASSES, Asset, AssetDatabase, guessed_asset, in_words, type_in_name
from vantage.scenes.procthor.house_export import house_from_spec, save_procthor
from vantage.scenes.procthor.house_import import import_house, load_procthor
from vantage.scenes.procthor.house_plan import rectangles
from vantage.scenes.spec.outlines import signed_area
from vantage.scenes.spec.spec import object_bounds

INSET = 0.02


@pytest.fixture
def house():
    return make_house()


def test_rooms_are_as_large_as_the_house_says_less_their_walls(house, tmp_path):
    spec = imported(house, tmp_path).spec
    assert [(each.room_id, each.label, each.height) for each in spec.rooms] == [
        (1, "kitchen", 2.5),
        (2, "bedroom", 2.5),
    ]
    kitchen, bedroom = (dict.fromkeys(each.outline) for each in spec.rooms)
    t = INSET
    assert set(kitchen) == {(t, t), (4 - t, t), (4 - t, 2 - t), (2 - t, 2 - t), (2 - t, 4 - t), (t, 4 - t)}
    assert set(bedroom) == {(4 + t, t), (7 - t, t), (7 - t, 2 - t), (4 + t, 2 - t)}
    assert all(signed_area(each.outline) > 0 for each in spec.rooms)
    assert spec.bounds_min == (t, t, 0.0)
    assert spec.bounds_max == (7 - t, 4 - t, 2.5)
    SceneGraph.from_spec(spec).check()


def test_each_room_has_a_floor_a_ceiling_and_a_wall_for_each_side(house, tmp_path):
    spec = imported(house, tmp_path).spec
    for number, count in ((1, 6), (2, 4)):
        own = [each for each in spec.objects if each.is_structure and each.room == number]
        assert sorted(each.label for each in own) == ["ceiling", "floor", *["wall"] * count]
        for each in own:
            low, high = object_bounds(each)
            assert {"floor": high[2] == 0.0, "wall": low[2] == 0.0}.get(each.label, low[2] == 2.5)
    for each in spec.objects:
        if each.label == "wall":  # its inner face is at x+ of its frame and looks into its room
            c, s = math.cos(each.yaw), math.sin(each.yaw)
            x, y = each.position[0] + 0.1 * c, each.position[1] + 0.1 * s
            outline = next(other.outline for other in spec.rooms if other.room_id == each.room)
            assert any(a[0] <= x <= b[0] and a[1] <= y <= b[1] for a, b in rectangles(outline))


def test_unity_is_turned_into_a_right_handed_world_once(house, tmp_path):
    spec = imported(house, tmp_path).spec
    table, fridge, bed = only(spec, "table"), only(spec, "fridge"), only(spec, "bed")
    assert table.position[:2] == pytest.approx((1.0, 1.0))
    assert math.remainder(table.yaw, math.tau) == pytest.approx(0.0)  # Unity's front is z, turned by 90 degrees to x
    assert abs(bed.yaw) == pytest.approx(math.pi, abs=1e-5)
    low, high = object_bounds(table)
    assert (low, high) == (pytest.approx((0.6, 0.4, 0.0), abs=2e-3), pytest.approx((1.4, 1.6, 0.7), abs=2e-3))
    low, high = object_bounds(fridge)
    assert (low[0], high[0]) == pytest.approx((0.05, 0.75), abs=2e-3)
    assert high[2] == pytest.approx(1.8, abs=2e-3)


def test_objects_are_words_of_the_catalogue_and_where_they_belong(house, tmp_path):
    spec = imported(house, tmp_path).spec
    graph = SceneGraph.from_spec(spec)
    table, mug, egg = only(spec, "table"), only(spec, "mug"), only(spec, "egg")
    assert (table.color, table.material, table.mass, table.kind) == ("white", "wood", 29.0, "table")
    assert (mug.color, mug.mass) == ("red", 0.35)
    assert (mug.relation, mug.parent) == ("on", table.instance_id)
    assert (egg.relation, egg.parent) == ("in", only(spec, "fridge").instance_id)
    assert "closed" in only(spec, "fridge").states
    picture = only(spec, "picture")
    assert picture.relation == "on"
    assert graph.node(picture.parent).label == "wall"
    assert object_bounds(picture)[1][0] == pytest.approx(2 - INSET, abs=1e-3)  # moved out of the wall
    pillow = only(spec, "pillow")
    assert (pillow.relation, pillow.parent) == ("on", only(spec, "bed").instance_id)
    rooms = {node.label: node.room for node in graph.nodes if not node.is_structure}
    assert (rooms["mug"], rooms["pillow"], rooms["fridge"], rooms["picture"]) == (1, 2, 1, 1)


def test_doors_and_windows_fill_the_holes(house, tmp_path):
    spec = imported(house, tmp_path).spec
    door, window = spec.openings
    assert (door.kind, door.rooms, window.kind, window.rooms) == ("door", (2, 1), "window", (1, 0))
    assert door.low == pytest.approx((4 - INSET, 0.5, 0.0))
    assert door.high == pytest.approx((4 + INSET, 1.4, 2.0))
    assert window.low == pytest.approx((0.0, 1.0, 0.9))
    assert window.high == pytest.approx((INSET, 2.2, 2.0))
    leaf = next(each for each in spec.objects if each.instance_id == door.instance)
    assert leaf.states == ("open",)
    assert leaf.joints[0].position > 0
    for each in spec.objects:  # both walls between the rooms have the hole
        if each.label == "wall":
            low, high = object_bounds(each)
            if low[0] >= 4 - 2 * INSET and high[0] <= 4 + 2 * INSET:
                assert not any(
                    part.center[2] < 1.9 and abs(each.position[1] + math.copysign(1, c) * part.center[1] - 0.95) < 0.4
                    for part in each.parts
                    for c in [math.cos(each.yaw)]
                )


def test_a_wide_door_has_two_leaves(house, tmp_path):
    house["doors"][0]["holePolygon"][1]["x"] = 1.95
    spec = imported(house, tmp_path).spec
    leaf = next(each for each in spec.objects if each.instance_id == spec.openings[0].instance)
    assert [joint.part for joint in leaf.joints] == ["leaf 1", "leaf 2"]


def test_rooms_without_a_wall_between_them_lie_open(house, tmp_path):
    house["doors"] = []
    for each in house["walls"]:
        corners = {(corner["x"], corner["z"]) for corner in each["polygon"]}
        if corners == {(4, 0), (4, 2)}:
            each["empty"] = True
    spec = imported(house, tmp_path).spec
    gap = next(each for each in spec.openings if each.kind == "doorway")
    assert (set(gap.rooms), gap.instance, gap.high[2]) == ({1, 2}, 0, 2.48)
    back = imported(house_from_spec(spec), tmp_path).spec
    assert sorted(each.kind for each in back.openings) == sorted(each.kind for each in spec.openings)


def test_without_assets_objects_have_usual_sizes_and_a_warning_says_so(house, tmp_path):
    found = imported(house, tmp_path, None)
    assert found.missing == ("Bed_1", "Dining_Table_1", "Egg_1", "Fridge_1", "Mug_1", "Painting_1", "pillow_9")
    assert "no asset database was given" in found.warnings[0]
    low, high = object_bounds(only(found.spec, "table"))
    assert (low[2], high[2]) == pytest.approx((0.0, 0.7), abs=2e-3)  # as high as where its middle is tells
    partly = imported(house, tmp_path)
    assert partly.missing == ("pillow_9",)
    assert "lacks" in partly.warnings[0]


def test_unknown_assets_and_leaning_objects_are_no_failure(house, tmp_path):
    house["objects"].append(obj("2|7", "Weird_Gizmo_12", 6.0, 0.2, 0.4))
    house["objects"].append(obj("2|8", "Mug_1", 6.0, 0.2, 1.8) | {"rotation": {"x": 45, "y": 0, "z": 0}})
    found = imported(house, tmp_path)
    assert only(found.spec, "weird gizmo").mass == 0.0
    assert "Weird_Gizmo_12" in found.missing
    assert any("2|8" in warning for warning in found.warnings)


def test_furniture_that_no_entry_shows_is_hollow_where_objects_are_inside(house, tmp_path):
    child = obj("small|9", "Mug_1", 6.0, 0.35, 1.8)
    house["objects"].append(obj("2|9", "TV_Stand_1", 6.0, 0.35, 1.8, 180, [child]))
    assets = AssetDatabase(
        {"TV_Stand_1": Asset("TV_Stand_1", "TVStand", (0.4, 0.9, 0.7)), "Mug_1": ASSETS.get("Mug_1")}
    )
    spec = imported(house, tmp_path, assets).spec
    stand = only(spec, "television stand")
    mug = max((each for each in spec.objects if each.label == "mug"), key=lambda each: each.position[0])
    assert (mug.relation, mug.parent) == ("on", stand.instance_id)
    assert mug.position[2] == pytest.approx(0.30, abs=0.02)


def test_the_same_house_gives_the_same_home(house, tmp_path):
    assert imported(house, tmp_path).spec == imported(house, tmp_path).spec


def placed(spec):
    """Labels and boxes of objects, and openings, in an order that does not depend on ids."""
    objects = [each for each in spec.objects if not each.is_structure]
    boxes = sorted((each.label, *(round(v, 2) for corner in object_bounds(each) for v in corner)) for each in objects)
    holes = sorted((each.kind, each.rooms, each.low, each.high) for each in spec.openings)
    return boxes, holes


@pytest.mark.parametrize("assets", [ASSETS, None])
@pytest.mark.parametrize("name", ["home.json", "home.json.gz", "home.jsonl", "home.jsonl.gz"])
def test_a_home_comes_back_from_its_file(house, tmp_path, name, assets):
    spec = imported(house, tmp_path).spec
    save_procthor(spec, tmp_path / name, assets)
    back = import_house(tmp_path / name, 0, assets)
    assert back.missing == ()
    assert [sorted(each.outline) for each in back.spec.rooms] == [sorted(each.outline) for each in spec.rooms]
    (boxes, holes), (other_boxes, other_holes) = placed(spec), placed(back.spec)
    assert holes == other_holes
    assert [box[0] for box in boxes] == [box[0] for box in other_boxes]
    for one, two in zip(boxes, other_boxes, strict=True):
        assert one[1:] == pytest.approx(two[1:], abs=0.05)
    attributes = {each.label: (each.color, each.material, each.mass) for each in spec.objects}
    assert {each.label: (each.color, each.material, each.mass) for each in back.spec.objects} == attributes
    assert only(back.spec, "mug").parent == only(back.spec, "table").instance_id


def test_an_exported_house_has_what_other_readers_need(house, tmp_path):
    written = house_from_spec(imported(house, tmp_path).spec, ASSETS)
    assert written["metadata"]["schema"] == "1.0.0"
    assert written["rooms"][0]["roomType"] == "Kitchen"
    assert signed_area([(corner["x"], corner["z"]) for corner in written["rooms"][0]["floorPolygon"]]) < 0  # clockwise
    names = [each["id"] for each in written["walls"]]
    assert len(set(names)) == len(names)
    (door,) = written["doors"]
    assert {door["wall0"], door["wall1"]} <= set(names)
    assert (door["assetId"], door["openness"]) == ("Doorway_1", 1)
    walls = {each["id"]: each for each in written["walls"]}
    first, second = (walls[door[key]]["polygon"][:2] for key in ("wall0", "wall1"))
    assert [first[0], first[1]] == [second[1], second[0]]  # the same stretch, from the other side
    table = next(each for each in written["objects"] if each["assetId"] == "Dining_Table_1")
    assert [child["assetId"] for child in table["children"]] == ["Mug_1"]


def test_only_homes_with_rooms_and_right_names_are_written(house, tmp_path, sample, block):
    with pytest.raises(SceneError, match="no rooms"):
        save_procthor(sample(block(1, (0, 0, 0), (1, 1, 1))), tmp_path / "house.json")
    with pytest.raises(UsageError, match="json"):
        save_procthor(imported(house, tmp_path).spec, tmp_path / "house.txt")


def _set(house, *path_and_value):
    *path, last, value = path_and_value
    for key in path:
        house = house[key]
    if value is ...:
        del house[last]
    else:
        house[last] = value


@each_row(
    "change, error, words",
    [
        (("metadata", "schema", "2.0.0"), FormatError, "schema version '2.0.0'"),
        (("metadata", ...), FormatError, "lacks 'metadata'"),
        (("rooms", ...), FormatError, "lacks 'rooms'"),
        (("rooms", []), SceneError, "no rooms"),
        (("walls", []), SceneError, "no walls"),
        (("objects", ...), FormatError, "lacks 'objects'"),
        (("rooms", 0, "floorPolygon", 0, "x", math.nan), FormatError, "finite number"),
        (("rooms", 0, "floorPolygon", 0, "x", 1e9), SceneError, "no house is larger"),
        (("rooms", 0, "floorPolygon", 0, "x", 9.0), SceneError, "cross each other|overlap"),
        (("rooms", 0, "floorPolygon", []), SceneError, "encloses no room"),
        (("rooms", 0, "id", "kitchen"), SceneError, "named room"),
        (("rooms", 1, "id", "room|1"), SceneError, "two rooms of the number 1"),
        (("walls", 0, "roomId", "room|9"), SceneError, "room 9, which does not exist"),
        (("walls", 0, "polygon", []), SceneError, "no upright wall"),
        (("walls", 0, "polygon", 1, "z", 9.0), SceneError, "not at a side"),
        (("doors", 0, "room0", "room|9"), SceneError, "does not exist"),
        (("doors", 0, "wall0", "wall|nowhere"), SceneError, "which does not exist or is an outer one"),
        (("doors", 0, "holePolygon", 1, "x", 9.0), SceneError, "does not fit its wall"),
        (("doors", 0, "holePolygon", 1, "x", 0.1), SceneError, "does not fit its wall"),
        (("doors", 0, "holePolygon", []), SceneError, "lower and the upper"),
        (("doors", 0, "openness", "wide"), FormatError, "finite number"),
        (("objects", 0, "position", "x", math.inf), FormatError, "finite number"),
        (("objects", 0, "position", "x", 1e9), SceneError, "no house is larger"),
        (("objects", 0, "position", ...), FormatError, "lacks 'position'"),
        (("objects", 0, "rotation", 3), FormatError, "JSON object"),
        (("objects", 0, "assetId", 3), FormatError, "must be text"),
        (("objects", 0, "children", 3), FormatError, "must be a list"),
        (("objects", 0, "vantage", {"size": [1, 1, 1e9]}), SceneError, "at most 100"),
        (("metadata", "wallThickness", 7), SceneError, "0.005 to 0.3"),
    ],
)
def test_bad_houses_are_refused_in_one_sentence(tmp_path, change, error, words):
    house = make_house()
    _set(house, *change)
    with pytest.raises(error, match=words) as caught:
        imported(house, tmp_path)
    assert "\n" not in str(caught.value)


def test_floors_and_walls_must_not_cross_or_overlap(house, tmp_path):
    crossed = copy.deepcopy(house)
    crossed["rooms"][1] = room(2, "Bedroom", [(4, 0), (4, 2), (6, 2), (6, -1), (7, -1), (7, 1), (5, 1), (5, 0)])
    with pytest.raises(SceneError, match="cross each other"):
        imported(crossed, tmp_path)
    over = copy.deepcopy(house)
    over["rooms"][1] = room(2, "Bedroom", [(3, 0), (3, 2), (7, 2), (7, 0)])
    with pytest.raises(SceneError, match=r"rooms 1 and 2 of .* overlap"):
        imported(over, tmp_path)
    house["walls"].append(wall(1, 0, 1, 0, 3))
    with pytest.raises(SceneError, match=r"the walls .* overlap"):
        imported(house, tmp_path)


def test_objects_nested_without_end_are_refused(house, tmp_path):
    nested = obj("x", "Mug_1", 1, 1, 1)
    for _ in range(20):
        nested = obj("x", "Mug_1", 1, 1, 1, 0, [nested])
    house["objects"] = [nested]
    with pytest.raises(SceneError, match="nested deeper"):
        imported(house, tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("house.json", b"", "is empty"),
        ("house.jsonl", b"\n\n", "is empty"),
        ("house.json", b"{not json", "cannot read a house"),
        ("house.json", b"[" * 100_000, "cannot read a house"),
        ("house.json", b"\xff\xfe\x00", "cannot read a house"),
        ("house.json", b"[1]", "must be a JSON object"),
        ("house.json", b"[]", "is empty"),
        ("house.jsonl", b'{"rooms": 1\n', "cannot read house 0 of"),
        ("house.jsonl", b'{"rooms": ' + b"9" * 400 + b"}", "400 digits"),
        ("house.jsonl", b'{"rooms": "\\ud800"}', "half of a character"),
        ("house.jsonl.gz", b"plain text", "cannot read a house"),
        ("house.jsonl.gz", gzip.compress(b'{"rooms": ' * 1000, mtime=0)[:40], "cannot read a house"),
    ],
)
def test_broken_files_are_refused_in_one_sentence(tmp_path, name, data, words):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FormatError, match=words):
        load_procthor(tmp_path / name)


def test_files_that_are_missing_or_have_no_such_house(house, tmp_path):
    with pytest.raises(FormatError, match="cannot read a house"):
        load_procthor(tmp_path / "nowhere.json")
    with pytest.raises(FormatError, match="folder"):
        load_procthor(tmp_path)
    lines = tmp_path / "houses.jsonl"
    lines.write_text("\n".join(json.dumps(each) for each in (house, house)) + "\n")
    assert load_procthor(lines, 1, ASSETS).name == "houses_1"
    for index in (2, -1):
        with pytest.raises(SceneError, match=r"has 2, counted from 0|no house -1"):
            load_procthor(lines, index)
    listed = saved([house], tmp_path)
    with pytest.raises(SceneError, match="no house 1"):
        load_procthor(listed, 1)


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_a_house_with_anything_changed_is_read_or_refused(tmp_path_factory, data):
    house = make_house()
    spot = house
    for _ in range(data.draw(st.integers(1, 5))):
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(spot[key], dict | list) or not spot[key]:
            break
        parent, spot = spot, spot[key]
    else:
        key, spot = key, parent
    junk = st.one_of(st.none(), st.floats(), st.integers(), st.text(max_size=5), st.just([]), st.just({}))
    spot[key] = data.draw(junk)
    path = tmp_path_factory.mktemp("fuzz") / "house.json"
    path.write_text(json.dumps(house))
    try:
        SceneGraph.from_spec(load_procthor(path, 0, ASSETS)).check()
    except VantageError as error:
        sentence = str(error)
    else:
        sentence = ""
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("asset_id", "kind"),
    [
        ("Dining_Table_218_1", "DiningTable"),
        ("RoboTHOR_chair_mella", "Chair"),
        ("RoboTHOR_remote_coolux_v", "RemoteControl"),
        ("bin_15", "GarbageCan"),
        ("TV_Stand_206_1", "TVStand"),
        ("Wall_Decor_Photo_3V", "Painting"),
        ("Weird_Gizmo", ""),
    ],
)
def test_names_of_assets_tell_what_they_are(asset_id, kind):
    assert type_in_name(asset_id) == kind
    guessed = guessed_asset(asset_id)
    assert (guessed.size if guessed else None) == (CLASSES[kind].size if kind else None)


def test_names_in_words():
    assert in_words("LivingRoom") == "living room"
    assert in_words("Weird_Gizmo_12") == "weird gizmo"


def test_a_database_that_is_none(tmp_path):
    path = tmp_path / "asset-database.json"
    for text, words in (("{}x", "JSON"), ('{"Mug": 3}', "list"), ('{"Mug": [{"assetId": "m"}]}', "boundingBox")):
        path.write_text(text)
        with pytest.raises(FormatError, match=words):
            AssetDatabase.load(path)


@pytest.mark.parametrize("index", range(5))
def test_real_houses(data_folder, tmp_path, index):
    database = AssetDatabase.load(data_folder / "ai2thor-assets" / "asset-database.json")
    found = import_house(data_folder / "procthor-houses" / "dev.jsonl.gz", index, database)
    spec, graph = found.spec, SceneGraph.from_spec(found.spec)
    graph.check()
    assert (found.missing, found.warnings) == ((), ())
    assert len(spec.rooms) == (1, 2, 3, 5, 8)[index]
    objects = graph.objects()
    assert all(node.room for node in objects)
    floating = [node.label for node in objects if not node.parent and node.bounds_min[2] > 0.05]
    assert floating == []
    save_procthor(spec, tmp_path / "house.json", database)
    back = load_procthor(tmp_path / "house.json", 0, database)
    (boxes, holes), (other_boxes, other_holes) = placed(spec), placed(back)
    assert holes == other_holes
    assert len(boxes) == len(other_boxes)
    for one, two in zip(boxes, other_boxes, strict=True):
        assert one[0] == two[0]
        assert one[1:] == pytest.approx(two[1:], abs=0.05)


def test_real_houses_without_the_database(data_folder):
    found = import_house(data_folder / "procthor-houses" / "dev.jsonl.gz", 2)
    SceneGraph.from_spec(found.spec).check()
    assert len(found.missing) > 20
