import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.errors import FormatError, SceneError
from vantage.scenes.spec.spec import Joint, ObjectSpec, Opening, Part, RoomSpec, object_bounds
from vantage.scenes.spec.spec_checks import check_spec
from vantage.scenes.spec.spec_file import load_spec, save_spec, spec_from_json, spec_to_json


def test_a_saved_room_loads_equal_and_saves_to_equal_bytes(rooms, tmp_path):
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    save_spec(rooms[0], first)
    loaded = load_spec(first)
    save_spec(loaded, second)
    assert loaded == rooms[0]
    assert first.read_bytes() == second.read_bytes()


@each_row(
    "change, words",
    [
        ({"instance_id": 0}, "not positive"),
        ({"instance_id": -3}, "not positive"),
        ({"label": ""}, "no label"),
        ({"parts": ()}, "no parts"),
        ({"yaw": math.nan}, "finite"),
        ({"position": (0.0, math.inf, 0.0)}, "finite"),
        ({"relation": "on", "parent": 99}, "does not exist"),
        ({"relation": "under", "parent": 2}, "unknown relation"),
        ({"relation": "on", "parent": 0}, "both or none"),
        ({"relation": "", "parent": 2}, "both or none"),
        ({"relation": "on", "parent": 1}, "its own parent"),
        ({"instance_id": 2**31}, "give one up to 2147483647"),
        ({"position": (0.0, 101.0, 0.0)}, "within 100 m of the origin"),
        ({"label": "Box"}, "without spare blanks: 'box'"),
        ({"label": " box"}, "without spare blanks: 'box'"),
        ({"states": ("open", "closed")}, "both open and closed"),
        ({"states": ("full", "full")}, "state twice"),
        ({"states": ("",)}, "without a name"),
    ],
)
def test_contradictions_are_refused_in_one_sentence(block, sample, change, words):
    one, two = block(1, (0, 0, 0), (1, 1, 1)), block(2, (1.5, 0, 0), (0.2, 0.2, 0.2))
    check_spec(sample(one, two))
    with pytest.raises(SceneError, match=words) as caught:
        check_spec(sample(replace(one, **change), two))
    assert "\n" not in str(caught.value)


@each_row(
    "change, words",
    [
        ({"shape": "sphere"}, "unknown shape 'sphere'"),
        ({"shape": "elipsoid"}, "did you mean 'ellipsoid'"),
        ({"size": (0.1, 0.0, 0.1)}, "positive"),
        ({"size": (0.1, -1.0, 0.1)}, "positive"),
        ({"size": (0.1, math.nan, 0.1)}, "finite"),
        ({"center": (math.inf, 0.0, 0.0)}, "finite"),
        ({"rgb": (1.2, 0.0, 0.0)}, "outside 0..1"),
        ({"axis": "w"}, "axis or face"),
        ({"open_faces": ("top",)}, "axis or face"),
        ({"ends": (-1.0, 0.0)}, "negative"),
    ],
)
def test_impossible_parts_are_refused(block, sample, change, words):
    obj = block(1, (0, 0, 0), (1, 1, 1))
    with pytest.raises(SceneError, match=words):
        check_spec(sample(replace(obj, parts=(replace(obj.parts[0], **change),))))


def test_joints_agree_with_what_is_open(block, sample):
    obj = block(1, (0, 0, 0), (1, 1, 1))
    joint = Joint("body", "slide", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.3, 0.0)
    shut, ajar = replace(obj, joints=(joint,)), replace(obj, joints=(replace(joint, position=0.1),))
    for good in (shut, ajar, replace(shut, states=("closed",)), replace(ajar, states=("open",))):
        check_spec(sample(good))
    with pytest.raises(SceneError, match="said to be closed and its body stands open"):
        check_spec(sample(replace(ajar, states=("closed",))))
    with pytest.raises(SceneError, match="said to be open and all its joints are closed"):
        check_spec(sample(replace(shut, states=("open",))))
    with pytest.raises(SceneError, match="joint twice"):
        check_spec(sample(replace(obj, joints=(joint, joint))))


def test_scenes_have_the_size_of_homes_and_rooms_are_within_them(sample):
    with pytest.raises(SceneError, match="bounds of scene 'sample' must be within 100 m"):
        check_spec(replace(sample(), bounds_max=(1e6, 1e6, 3.0)))
    room = RoomSpec(1, "hall", ((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)), 2.5)
    check_spec(replace(sample(), rooms=(room,)))
    with pytest.raises(SceneError, match=r"corner \(2.5, 2.0\) outside the bounds"):
        check_spec(replace(sample(), rooms=(replace(room, outline=(*room.outline[:2], (2.5, 2.0), (-2.0, 2.0))),)))


def test_duplicate_ids_empty_bounds_and_cycles_are_refused(block, sample):
    one, two = block(1, (0, 0, 0), (1, 1, 1)), block(2, (0, 0, 1), (0.2, 0.2, 0.2))
    with pytest.raises(SceneError, match="twice"):
        check_spec(sample(one, replace(two, instance_id=1)))
    with pytest.raises(SceneError, match="empty bounds"):
        check_spec(replace(sample(one), bounds_max=(-3.0, 2.0, 2.0)))
    with pytest.raises(SceneError, match="its own parent"):
        check_spec(sample(replace(one, relation="on", parent=2), replace(two, relation="on", parent=1)))


@each_row(
    "path, value, words",
    [
        (["schema"], "vantage/scene-graph", "schema"),
        (["version"], 7, "version 7"),
        (["version"], "1", "integer"),
        (["seed"], 1.5, "integer"),
        (["bounds_min"], [0, 0], "list of 3 numbers"),
        (["bounds_max"], [0, "x", 0], "finite number"),
        (["objects"], {}, "must be a list"),
        (["object"], [], "unknown key 'object'; did you mean 'objects'"),
        (["openings", 0, "rooms"], [1.7, 0], "must be an integer, got 1.7"),
        (["openings", 0, "rooms"], [1], "list of 2 values"),
        (["objects", 0], 5, "JSON object"),
        (["objects", 0, "label"], 5, "must be text"),
        (["objects", 0, "yaw"], None, "finite number"),
        (["objects", 0, "id"], True, "integer"),
        (["objects", 0, "states"], ["closed", 1], r"'states\[1\]' of object 0 .* must be text, got 1"),
        (["objects", 0, "parts", 0, "size"], [1, 1, float("nan")], "finite number"),
    ],
)
def test_malformed_files_are_refused(block, sample, path, value, words):
    spec = sample(block(1, (0, 0, 0), (1, 1, 1)))
    document = spec_to_json(replace(spec, openings=(Opening("door", (0, 0), (0, 0, 0), (1, 1, 2)),)))
    target = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(FormatError, match=words):
        spec_from_json(document)


def test_missing_fields_and_files_are_named(block, sample, tmp_path):
    document = spec_to_json(sample(block(1, (0, 0, 0), (1, 1, 1))))
    del document["objects"][0]["parts"]
    with pytest.raises(FormatError, match="object 0 of here lacks 'parts'"):
        spec_from_json(document, "here")
    with pytest.raises(FormatError, match=r"absent\.json"):
        load_spec(tmp_path / "absent.json")
    (tmp_path / "cut.json").write_text(json.dumps(document)[:-20])
    with pytest.raises(FormatError, match="JSON"):
        load_spec(tmp_path / "cut.json")


def test_a_contradictory_scene_is_never_written(block, sample, tmp_path):
    with pytest.raises(SceneError):
        save_spec(sample(block(0, (0, 0, 0), (1, 1, 1))), tmp_path / "bad.json")
    assert not list(tmp_path.iterdir())


lengths = st.floats(0.05, 2.0)


@given(
    yaw=st.floats(-7, 7),
    size=st.tuples(lengths, lengths, lengths),
    center=st.tuples(*[st.floats(-1, 1)] * 3),
    shape=st.sampled_from(["box", "cylinder", "ellipsoid"]),
    axis=st.sampled_from("xyz"),
)
def test_bounds_are_tight_around_the_turned_surface(yaw, size, center, shape, axis):
    part = Part(shape, center, size, (0.5, 0.5, 0.5), axis=axis)
    low, high = object_bounds(ObjectSpec(1, "thing", "", "", (0.3, -0.2, 0.1), yaw, (part,)))
    angles = np.linspace(0, math.tau, 721)
    if part.is_round:
        outline = 0.5 * np.stack([size[0] * np.cos(angles), size[1] * np.sin(angles)], axis=1)
    else:
        outline = 0.5 * np.array([[sx * size[0], sy * size[1]] for sx in (-1, 1) for sy in (-1, 1)])
    c, s = math.cos(yaw), math.sin(yaw)
    points = (outline + center[:2]) @ np.array([[c, s], [-s, c]]) + (0.3, -0.2)
    np.testing.assert_allclose(points.min(axis=0), low[:2], atol=1e-4)
    np.testing.assert_allclose(points.max(axis=0), high[:2], atol=1e-4)
    assert low[2] == pytest.approx(0.1 + center[2] - 0.5 * size[2])
    assert high[2] == pytest.approx(0.1 + center[2] + 0.5 * size[2])
