"""What counts as an object at all."""

from dataclasses import replace

import numpy as np
from made_detections import CAMERA, detection

from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.config import RelationSettings
from vantage.perception.map.observed_scene import ObservedScene
from vantage.spatial import Viewpoint
from vantage.types import Observation

FLOOR = detection(0, "floor", (0.0, 0.0, -0.01), (8.0, 4.0, 0.0), room="kitchen")
WALL = detection(0, "wall", (8.0, 0.0, 0.0), (8.02, 4.0, 2.6))
HUNG = detection(0, "curtain", (7.93, 1.0, 0.9), (8.0, 1.4, 2.3))
FLOATING = detection(0, "curtain", (6.0, 1.0, 0.9), (6.3, 1.4, 2.3))


def labels(*places, objects):
    """What is there after the same detections from some places, m along x."""
    memory = ObservedScene()
    for stamp, x in enumerate(places):
        view = Observation(stamp, Viewpoint(x, 2.0, 1.2, 0.0, 0.0), CAMERA, np.zeros((24, 32, 3), np.uint8))
        memory.add(view, objects)
    return [obj.label for obj in ObservedFacts(memory, None, False, RelationSettings()).objects]


def test_cloth_that_one_place_shows_in_mid_air_is_something_else_at_a_wrong_depth():
    assert labels(4.0, objects=(FLOOR, WALL, HUNG, FLOATING)) == ["curtain"]
    assert labels(4.0, 1.0, objects=(FLOOR, WALL, FLOATING)) == ["curtain"]  # another place shows it too
    assert labels(4.0, objects=(FLOOR, WALL, replace(FLOATING, instance_id=7))) == ["curtain"]
    towel = replace(FLOATING, label="towel")
    assert labels(4.0, objects=(FLOOR, WALL, HUNG, towel)) == ["curtain", "towel"], "the only one is not denied"


def test_other_objects_are_there_whatever_carries_them():
    assert labels(4.0, objects=(FLOOR, replace(FLOATING, label="plant"))) == ["plant"]


def test_a_object_is_in_the_room_of_what_carries_it():
    """Its own middle is nearer to the next room."""
    cabinet = detection(5, "cabinet", (7.0, 1.0, 0.0), (8.25, 2.0, 0.9))
    vase = detection(6, "vase", (8.1, 1.4, 0.9), (8.2, 1.5, 1.1))
    other = detection(9, "floor", (8.12, 0.0, -0.01), (9.5, 4.0, 0.0), room="bathroom")
    memory = ObservedScene()
    view = Observation(0, Viewpoint(4.0, 2.0, 1.2, 0.0, 0.0), CAMERA, np.zeros((24, 32, 3), np.uint8))
    memory.add(view, (FLOOR, other, cabinet, vase))
    sight = ObservedFacts(memory, None, False, RelationSettings())
    found = next(obj for obj in sight.objects if obj.label == "vase")
    assert sight.room_of(found).label == "kitchen"
