"""Homes that somebody drew in a file: what is read, and one sentence about each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from vantage.errors import ConfigError, SceneError
from vantage.scenes.checks import check_placement
from vantage.scenes.generator import read_drawn_home

DRAWING = """
drawn_home: 1
seed: 5
rooms:
  kitchen: {floor: [0, 0, 4.0, 4.0], windows: [[south, 2.0]]}
  bedroom 2: {kind: bedroom, floor: [4.0, 0, 8.0, 4.0]}
doors:
  - {rooms: [kitchen, outside], side: west, at: 3.0}
  - {rooms: [bedroom 2, kitchen], at: 0.8}
furniture:
  kitchen:
    - {piece: cabinet, color: white, wall: north, at: 2.6, on: [mug red], in: [box blue]}
    - {piece: table, at: [1.6, 1.6], facing: east, on: [{piece: bowl, in: [orange]}]}
  bedroom 2:
    - {piece: chest, color: red, wall: east, at: 1.0, state: open, in: [ball green]}
"""


def written(tmp_path: Path, text: str = DRAWING) -> Path:
    path = tmp_path / "home.yaml"
    path.write_text(text)
    return path


def test_things_are_where_they_were_drawn(tmp_path):
    home = read_drawn_home(written(tmp_path), "drawn")
    assert home.name == "drawn"
    assert [(room.label, room.room_id) for room in home.rooms] == [("kitchen", 1), ("bedroom", 2)]
    objects = {obj.instance_id: obj for obj in home.objects}
    by_label = {obj.label: obj for obj in home.objects}
    assert {"window", "door"} <= set(by_label)
    table, mug, ball, orange = (by_label[each] for each in ("table", "mug", "ball", "orange"))
    assert table.position[:2] == (1.6, 1.6)
    assert (mug.color, mug.relation, objects[mug.parent].label) == ("red", "on", "cabinet")
    assert (ball.relation, objects[ball.parent].label) == ("in", "chest")
    assert objects[orange.parent].label == "bowl"
    assert "closed" in by_label["cabinet"].states
    assert "open" in by_label["chest"].states
    assert not check_placement(home)


def test_the_same_file_gives_the_same_home(tmp_path):
    path = written(tmp_path)
    assert repr(read_drawn_home(path, "drawn")) == repr(read_drawn_home(path, "drawn"))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("drawn_home: 1", "drawn_home: 2", "drawn_home: this program reads version 1"),
        ("seed: 5", "seed: -5", "seed"),
        ("kind: bedroom", "kind: cellar", "kind"),
        ("[0, 0, 4.0, 4.0]", "[0, 0, 0.5, 4.0]", "is too narrow; give it 1 m or more"),
        ("[[south, 2.0]]", "[[south, 9.0]]", "a window at 9 m does not fit into the south wall"),
        ("[[south, 2.0]]", "[[up, 2.0]]", "expected lists of a side and its middle"),
        (
            "rooms: [bedroom 2, kitchen]",
            "rooms: [attic, kitchen]",
            "there is no room 'attic'; the rooms are kitchen, bedroom 2",
        ),
        ("rooms: [bedroom 2, kitchen]", "rooms: [kitchen]", "expected two names of rooms"),
        ("at: 0.8}", "at: 7.0}", "there is no wall of bedroom 2 and kitchen for a door at 7 m"),
        ("piece: table", "piece: tabel", "table"),
        ("color: red, wall", "color: plaid, wall", "a chest comes in no color 'plaid'"),
        ("[mug red]", "[unicorn]", "nothing in the catalogue is called 'unicorn'"),
        ("[mug red]", "mug", "expected a list of things"),
        ("[mug red]", "[" + ", ".join(["box red"] * 40) + "]", "there is no room for box on the cabinet"),
        ("at: [1.6, 1.6]", "at: [9.0, 9.0]", "table has no room there; move it or what is in its way"),
        ("facing: east", "facing: upward", "facing"),
        ("state: open", "state: ajar", "state"),
        ("state: open", "weight: 3", "unknown key"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, old, new, told):
    assert old in DRAWING
    with pytest.raises((ConfigError, SceneError), match=r"home\.yaml") as caught:
        read_drawn_home(written(tmp_path, DRAWING.replace(old, new)), "drawn")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_home_without_rooms_are_told(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.yaml"):
        read_drawn_home(tmp_path / "absent.yaml", "drawn")
    with pytest.raises(ConfigError, match="at least one room"):
        read_drawn_home(written(tmp_path, "drawn_home: 1\nseed: 1\nrooms: {}\ndoors: []\nfurniture: {}\n"), "drawn")
