"""Sightings without identities: which are of one object, and which are not."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.perception.map.association import NEW, Sighting, assign, costs, spread_of

NAN = float("nan")


def looks(low, high, label="mug", color="", pixels=2000, whole=True, room=""):
    return Sighting(tuple(low), tuple(high), float(spread_of(pixels)), whole, label, color, "", "", room)


def cube(x, y=0.0, z=0.0, size=0.1, **words):
    return looks((x, y, z), (x + size, y + size, z + size), **words)


def cost(first, second):
    there, back = costs([first], [second])[0, 0], costs([second], [first])[0, 0]
    assert min(there, NEW) == pytest.approx(min(back, NEW))
    return there


def test_a_object_is_itself_and_not_its_neighbour():
    assert cost(cube(0), cube(0)) == 0.0
    assert cost(cube(0), cube(0.02)) < 3.0
    assert cost(cube(0), cube(0.3)) >= NEW


def test_noise_counts_by_the_pixels_that_were_seen():
    assert cost(cube(0), cube(0.12, pixels=100)) < cost(cube(0), cube(0.12, pixels=20000))


def test_words_that_contradict_cost():
    same = cost(cube(0), cube(0))
    assert same < cost(cube(0), cube(0, label="cup")) < NEW
    assert cost(cube(0), cube(0, label="bed")) >= NEW
    red, orange, blue = (cube(0, color=color) for color in ("red", "orange", "blue"))
    assert cost(red, red) < cost(red, orange) < cost(red, blue)
    assert cost(red, cube(0)) == same  # not made out is no contradiction


def test_a_part_of_a_big_object_belongs_to_it():
    table = looks((0, 0, 0), (1.6, 0.8, 0.75), "table")
    assert cost(table, looks((0, 0, 0.7), (0.9, 0.8, 0.75), "table", whole=False)) < NEW
    half = looks((0, 0, 0.7), (1.0, 0.8, 0.75), "table", whole=False)
    assert cost(half, looks((0.6, 0, 0.7), (1.6, 0.8, 0.75), "table", whole=False)) < NEW
    assert cost(table, looks((1.8, 0, 0), (3.4, 0.8, 0.75), "table")) >= NEW


def test_walls_that_meet_in_a_corner_are_two():
    first = looks((0, -0.02, 0), (4, 0.02, 2.6), "wall", pixels=50000)
    second = looks((-0.02, 0, 0), (0.02, 4, 2.6), "wall", pixels=50000)
    assert cost(first, second) >= NEW
    assert cost(first, looks((1, -0.01, 0), (2, 0.01, 2.6), "wall", pixels=50000, whole=False)) < NEW


def test_floors_of_different_kinds_of_rooms_are_two():
    kitchen = looks((0, 0, 0), (4, 4, 0), "floor", room="kitchen")
    assert cost(kitchen, looks((1, 1, 0), (3, 3, 0), "floor", room="kitchen")) < NEW
    assert cost(kitchen, looks((1, 1, 0), (3, 3, 0), "floor", room="hall")) >= NEW


def floor_part(x0, x1, room="kitchen", **more):
    return looks((x0, 0, 0), (x1, 3, 0), "floor", room=room, pixels=30000, whole=False, **more)


def test_parts_of_one_floor_are_one_however_little_they_share():
    assert cost(floor_part(0, 1), floor_part(0.95, 4)) == 0.0
    assert cost(floor_part(0, 1), floor_part(1.04, 4)) == 0.0
    assert cost(floor_part(0, 1), floor_part(1.5, 4)) >= NEW  # what is between was not seen
    assert cost(floor_part(0, 2), floor_part(1, 4, room="hall")) >= NEW
    assert cost(floor_part(0, 1, room=""), floor_part(0.95, 4, room="")) > 0.0  # of what room, nobody knows
    rugs = [replace(floor_part(*span), label="rug") for span in ((0, 1), (0.95, 4))]
    assert cost(*rugs) > 0.0


def test_two_rooms_of_one_kind_with_a_wall_between_have_two_floors():
    """The walls of a generated home are 10 cm thick between two rooms; floors are seen to within a centimeter."""
    assert cost(floor_part(0, 2, "bathroom"), floor_part(2.09, 4, "bathroom")) >= NEW


def test_books_side_by_side_go_to_their_own_places():
    """All moved by 2 cm, so that each is nearer to the place of the next one's face than one would like."""
    colors = ("red", "green", "blue", "red", "white")
    known = [looks((0.035 * k, 0, 0), (0.035 * k + 0.03, 0.2, 0.25), "book", color) for k, color in enumerate(colors)]
    moved = [
        looks((0.035 * k + 0.02, 0, 0), (0.035 * k + 0.05, 0.2, 0.25), "book", color) for k, color in enumerate(colors)
    ]
    assert assign(costs(moved, known)) == [0, 1, 2, 3, 4]
    assert assign(costs(moved[1:4], known)) == [1, 2, 3]


def test_two_sightings_in_one_view_are_never_one_object():
    found = assign(costs([cube(0), cube(0.01)], [cube(0)]))
    assert sorted(found, key=str) == [0, None]


def test_nothing_to_assign():
    assert assign(costs([], [cube(0)])) == []
    assert assign(costs([cube(0)], [])) == [None]


def test_boxes_that_are_not_finite_belong_to_nothing():
    assert assign(costs([looks((NAN, NAN, NAN), (NAN, NAN, NAN))], [cube(0)])) == [None]


@given(st.integers(1, 5), st.integers(0, 5), st.integers(0, 10**6))
def test_the_assignment_is_the_cheapest(rows, columns, seed):
    pairs = np.random.default_rng(seed).uniform(0, 2 * NEW, (rows, columns))
    found = assign(pairs)
    taken = [column for column in found if column is not None]
    assert len(set(taken)) == len(taken)

    def total(choice):
        return sum(NEW if column is None else pairs[row, column] for row, column in enumerate(choice))

    choices = itertools.product([None, *range(columns)], repeat=rows)
    allowed = [c for c in choices if len({k for k in c if k is not None}) == sum(k is not None for k in c)]
    assert total(found) == pytest.approx(min(map(total, allowed)))
