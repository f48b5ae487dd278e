from dataclasses import replace

import pytest

from vantage.scenes.generator.walkways import Walkways
from vantage.scenes.geometry.solids import Solid


@pytest.fixture
def ways():
    ways = Walkways((0.0, 0.0, 0.0), (4.0, 2.0, 2.5))
    ways.add_station(0.4, 1.0)
    ways.add_station(3.6, 1.0)
    return ways


@pytest.mark.parametrize(("width", "open_"), [(1.0, True), (1.3, True), (1.45, False), (2.0, False)])
def test_a_way_needs_sixty_centimetres(ways, block, width, open_):
    shelf = Solid.of(block(1, (2.0, 0.5 * width, 0.0), (0.4, width, 1.8)))
    assert ways.try_block(shelf) is open_


def test_what_is_flat_or_overhead_shuts_no_way(ways, block):
    wall = block(1, (2.0, 1.0, 0.0), (0.4, 2.0, 0.02))
    assert ways.try_block(Solid.of(wall))
    assert ways.try_block(Solid.of(replace(wall, position=(2.0, 1.0, 2.0))))


def test_a_refused_thing_changes_nothing(ways, block):
    assert not ways.try_block(Solid.of(block(1, (2.0, 1.0, 0.0), (0.4, 2.0, 1.0))))
    assert ways.try_block(Solid.of(block(1, (2.0, 0.3, 0.0), (0.4, 0.6, 1.0))))


def test_a_copy_changes_for_itself(ways, block):
    copy = ways.copy()
    copy.block(Solid.of(block(1, (2.0, 1.0, 0.0), (0.4, 2.0, 1.0))))
    assert ways.try_block(Solid.of(block(1, (0.8, 0.1, 0.0), (0.2, 0.2, 1.0))))
