import math
from collections import Counter

import numpy as np
import pytest

from vantage.scenes.generator.building import raise_building
from vantage.scenes.generator.object_groups import pair_on, rows_of_books, second_of_pair, workplaces
from vantage.scenes.generator.opening_plan import plan_openings
from vantage.scenes.generator.placement import Home
from vantage.scenes.generator.planned_rooms import PlannedRoom


@pytest.fixture
def office():
    home = Home(np.random.default_rng(7))
    plan = (PlannedRoom("office", (-2.55, -2.05), (2.55, 2.05)),)
    raise_building(home, plan, plan_openings(home.rng, plan))
    return home.rooms[0]


def in_frame(host, obj):
    """Where the origin of an object is in the frame of another one, seen from above."""
    c, s = math.cos(host.yaw), math.sin(host.yaw)
    dx, dy = obj.position[0] - host.position[0], obj.position[1] - host.position[1]
    return c * dx + s * dy, c * dy - s * dx


def test_a_workplace_is_in_order(homes, rooms):
    found = Counter()
    for home in (*homes.values(), *rooms):
        by_id = {obj.instance_id: obj for obj in home.objects}
        for desk in (obj for obj in home.objects if obj.label == "desk"):
            on_it = {obj.label: in_frame(desk, obj) for obj in home.objects if obj.parent == desk.instance_id}
            found += Counter(on_it.keys() & {"monitor", "laptop", "keyboard", "mouse"})
            if "keyboard" in on_it:
                assert on_it["monitor"][0] < -0.1 < on_it["keyboard"][0] < 0.25
                assert abs(on_it["monitor"][1] - on_it["keyboard"][1]) < 0.1
            if "mouse" in on_it:
                before_it = on_it["keyboard" if "keyboard" in on_it else "laptop"]
                assert 0.1 < on_it["mouse"][1] - before_it[1] < 0.5
        strays = [obj for obj in home.objects if obj.label in ("keyboard", "monitor")]
        assert all(by_id[obj.parent].label == "desk" for obj in strays)
    assert found["monitor"] >= 4
    assert found["keyboard"] >= 3
    assert found["mouse"] >= 3


def test_a_desk_gets_a_screen_and_what_belongs_to_it(office):
    desks = [office.try_put(office.model("desk"), (x, 0.0, 0.0), 0.3) for x in (-1.4, 0.4)]
    assert None not in desks
    workplaces(office)
    assert any(office.objects("monitor", "laptop"))
    assert len(office.objects("keyboard")) <= len(office.objects("monitor"))


def test_shoes_stand_in_pairs(homes):
    alone, paired = 0, 0
    for home in homes.values():
        shoes = [obj for obj in home.objects if obj.label == "shoe"]
        for shoe in shoes:
            others = [each for each in shoes if each is not shoe and each.color == shoe.color]
            nearest = min((math.dist(shoe.position, other.position) for other in others), default=9.0)
            paired, alone = paired + (nearest < 0.13), alone + (nearest >= 0.13)
    assert paired >= 20
    assert alone <= 0.1 * paired


def test_a_pair_is_put_whole_or_not_at_all(office):
    rack = office.try_put(office.model("shoe rack"), (0.0, 0.0, 0.0), 0.0)
    surface = office.surfaces_of(rack, "on")[0]
    pairs = 0
    while pair_on(office, office.model("shoe"), rack, surface.name, 0.05):
        pairs += 1
    assert pairs >= 1
    assert len(office.objects("shoe")) == 2 * pairs
    first = office.try_put(office.model("shoe"), (1.5, 1.0, 0.0), 0.0)
    second = office.obj(second_of_pair(office, first))
    assert math.dist(second.position, office.obj(first).position) == pytest.approx(0.115)


def test_pillows_lie_at_the_head_of_the_bed(homes):
    pillows = 0
    for home in homes.values():
        by_id = {obj.instance_id: obj for obj in home.objects}
        for pillow in (obj for obj in home.objects if obj.kind == "pillow" and obj.parent):
            bed = by_id[pillow.parent]
            if bed.label == "bed":
                pillows += 1
                assert in_frame(bed, pillow)[0] < -2.02 / 6
    assert pillows >= 6


def test_books_stand_in_a_row(office):
    shelf = office.try_put(office.model("bookshelf"), (0.0, 0.0, 0.0), 0.0)
    rows_of_books(office)
    books = office.objects("book")
    assert len(books) >= 3
    assert {book.parent for book in books} == {shelf}
    assert len({round(book.position[2], 6) for book in books}) == 1
