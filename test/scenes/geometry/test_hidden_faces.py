"""Faces of boxes that others of the same body hide."""

from dataclasses import replace

from vantage.scenes.geometry.hidden_faces import covered_faces
from vantage.scenes.spec import Part

BOX = Part("box", (0.1, 0.2, 0.3), (1.0, 2.0, 3.0), (1, 1, 1))
PLATE = Part("box", (0.1, 0.2, 1.805), (0.5, 0.5, 0.01), (1, 1, 1))


def test_faces_against_or_inside_of_other_boxes_are_found():
    assert covered_faces([BOX, PLATE]) == [[], ["z-"]]
    assert covered_faces([BOX, replace(PLATE, center=BOX.center)]) == [[], ["x-", "x+", "y-", "y+", "z-", "z+"]]
    assert covered_faces([BOX, replace(PLATE, center=(0.1, 0.2, 1.81))]) == [[], []]


def test_what_is_turned_hollow_or_no_box_hides_nothing():
    assert covered_faces([BOX, replace(PLATE, rotation=(0.0, 0.0, 0.1))]) == [[], []]
    assert covered_faces([replace(BOX, open_faces=("z+",)), PLATE]) == [[], []]
    assert covered_faces([replace(BOX, shape="cylinder"), PLATE]) == [[], []]
    assert covered_faces([PLATE]) == [[]]
