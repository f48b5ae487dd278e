import math
from dataclasses import replace

import numpy as np
import pytest

from vantage.scenes.catalog.catalog import CATALOG
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.generator.object_models import design_model
from vantage.scenes.geometry.masses import LEAST, MATTER, estimated_mass, known_masses, part_mass
from vantage.scenes.looks.looks import LOOKS
from vantage.scenes.spec.palette import MATERIALS
from vantage.scenes.spec.spec import ObjectSpec, Part


def thing(*parts, material="wood"):
    return ObjectSpec(1, "thing", "", material, (0.0, 0.0, 0.0), 0.0, parts)


def box(size, **fields):
    return Part("box", (0.0, 0.0, 0.0), size, (0.5, 0.5, 0.5), **fields)


def test_a_board_is_solid_and_a_case_of_sheet_metal_is_not():
    board = box((0.3, 0.5, 0.02))
    assert part_mass(thing(board), board) == pytest.approx(620 * 0.3 * 0.5 * 0.02)
    case = box((0.6, 0.6, 1.8))
    walls = 2 * (0.6 * 0.6 + 2 * 0.6 * 1.8) * 0.0008
    assert part_mass(thing(case, material="metal"), case) == pytest.approx(7850 * walls)


def test_a_hollow_part_has_the_walls_that_are_there():
    closed = Part("cylinder", (0, 0, 0), (0.1, 0.1, 0.2), (1, 1, 1))
    tube = replace(closed, open_faces=("z-", "z+"))
    cup = replace(closed, open_faces=("z+",))
    vase = thing(cup, material="ceramic")
    assert part_mass(vase, tube) == pytest.approx(2400 * math.pi * 0.1 * 0.2 * 0.005)
    assert part_mass(vase, cup) == pytest.approx(2400 * (math.pi * 0.1 * 0.2 + math.pi * 0.05**2) * 0.005)
    slab = box((0.3, 0.4, 0.2), open_faces=("z+",))
    assert part_mass(thing(slab), slab) == pytest.approx(620 * 0.012 * (0.3 * 0.4 + 2 * 0.2 * (0.3 + 0.4)))


def test_round_shapes_have_their_volume():
    apple = thing(Part("ellipsoid", (0, 0, 0), (0.08, 0.08, 0.08), (1, 0, 0), look="skin"))
    assert estimated_mass(apple) == pytest.approx(900 * math.pi / 6 * 0.08**3, abs=5e-4)
    cone = Part("cone", (0, 0, 0), (0.04, 0.04, 0.03), (1, 1, 1), ends=(1.0, 0.0))
    assert part_mass(thing(cone), cone) == pytest.approx(620 * math.pi * 0.02**2 * 0.03 / 3, rel=1e-6)


def test_estimates_are_near_what_the_catalogue_says():
    ratios = {}
    for name, kind in CATALOG.items():
        found = [
            estimated_mass(design_model(name, np.random.default_rng(seed)).at(1, (0, 0, 0), 0.0)) for seed in range(2)
        ]
        ratios[name] = float(np.mean(found)) / float(np.mean(kind.mass))
    values = np.array(list(ratios.values()))
    assert 0.7 < np.median(values) < 1.5
    assert ((values > 1 / 3) & (values < 3)).mean() > 0.85
    assert ((values > 0.1) & (values < 10)).all(), ratios


def test_masses_that_are_said_stay_and_the_building_has_none():
    home = generate_home(3, 1)
    half = replace(
        home,
        objects=tuple(
            replace(obj, mass=0.0) if obj.instance_id % 2 and not obj.is_structure else obj for obj in home.objects
        ),
    )
    found = known_masses(half)
    for old, new in zip(half.objects, found.objects, strict=True):
        if old.is_structure:
            assert new.mass == 0.0
        elif old.mass:
            assert new == old
        else:
            assert new.mass >= LEAST
    assert known_masses(home) == home
    assert known_masses(found) == found


def test_every_material_and_look_weighs_something():
    assert set(MATERIALS) <= set(MATTER)
    for look in LOOKS:
        part = box((0.1, 0.1, 0.1), look=look)
        assert (part_mass(thing(part), part) > 0) == (look != "sky")
