import numpy as np
import pytest
from row_tables import each_row

from vantage.scenes.generator.object_models import design_model
from vantage.scenes.looks.looks import LOOKS
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.splats.harmonics import C0
from vantage.splats.synthesis.from_spec import cloud_from_spec
from vantage.splats.synthesis.hollows import brightness, hollows_of, openness
from vantage.splats.synthesis.pieces import Piece
from vantage.splats.synthesis.samples import Samples

TUBE = Part("cylinder", (0.0, 0.0, 0.25), (0.4, 0.4, 0.5), (0.1, 0.1, 0.1), ("z-", "z+"))
VASE = Part("cone", (0.0, 0.0, 0.25), (0.4, 0.4, 0.5), (0.1, 0.1, 0.1), ("z+",), ends=(0.5, 1.0))


def thing(*parts):
    return ObjectSpec(1, "bin", "black", "metal", (0.0, 0.0, 0.0), 0.0, parts)


def share(parts, points, normals):
    pieces = [Piece(thing(*parts), parts[0], 1, LOOKS["metal"], 0.01, 0.65, 1, True)]
    n = len(points)
    points, normals = np.array(points, dtype=float), np.array(normals, dtype=float)
    return openness(Samples(points, normals, normals, np.ones((n, 2)), np.zeros(n, np.int64)), pieces)


def test_the_deeper_the_darker():
    floor = share([TUBE], [[0.0, 0.0, z] for z in (0.0, 0.2, 0.4, 0.499)], [[0.0, 0.0, 1.0]] * 4)
    assert (np.diff(floor) > 0).all()
    assert floor[0] == pytest.approx(0.2**2 / (0.2**2 + 0.5**2))
    wall = share([TUBE], [[0.198, 0.0, z] for z in (0.0, 0.2, 0.4, 0.499)], [[-1.0, 0.0, 0.0]] * 4)
    assert (np.diff(wall) > 0).all()
    assert wall[-1] == pytest.approx(0.5, abs=0.01)  # half of what a wall faces is the opposite wall


def test_only_the_inside_is_dark():
    outside = [[0.2, 0.0, 0.1], [0.0, 0.0, 0.6], [0.3, 0.0, 0.1], [0.0, 0.0, -0.1]]
    assert (share([TUBE], outside, [[1.0, 0.0, 0.0], *[[0.0, 0.0, 1.0]] * 3]) == 1.0).all()
    sides = share([VASE], [[0.17, 0.0, 0.25], [0.1, 0.0, 0.25]], [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    assert sides[0] == 1.0
    assert sides[1] < 1.0


@each_row(
    "part",
    [
        Part("cylinder", (0.0, 0.0, 0.25), (0.4, 0.4, 0.5), (0.1, 0.1, 0.1)),
        Part("cylinder", (0.0, 0.0, 0.01), (0.4, 0.4, 0.02), (0.1, 0.1, 0.1), ("z+",)),
        Part("cylinder", (0.0, 0.0, 0.25), (0.4, 0.4, 0.5), (0.1, 0.1, 0.1), ("x+", "x-"), axis="x"),
        Part("cylinder", (0.0, 0.0, 0.25), (0.4, 0.4, 0.5), (0.1, 0.1, 0.1), ("z+",), rotation=(0.0, 1.0, 0.0)),
        Part("box", (0.0, 0.0, 0.25), (0.4, 0.4, 0.5), (0.1, 0.1, 0.1), ("z+",)),
    ],
)
def test_what_is_closed_flat_or_lying_is_no_hollow(part):
    assert hollows_of(thing(part)) == []


def test_light_walls_pass_light_on():
    dark, light = np.full((1, 3), 0.1), np.full((1, 3), 0.9)
    assert brightness(np.array([0.2]), light)[0] > 1.5 * brightness(np.array([0.2]), dark)[0]
    assert brightness(np.ones(1), dark)[0] == brightness(np.ones(1), light)[0] == 1.0


def test_the_inside_of_an_empty_dark_bin_has_no_sheen():
    model = design_model("bin", np.random.default_rng(0), "black", states=("empty",))
    spec = SceneSpec("lone", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.5), (model.at(1, (0.0, 0.0, 0.0), 0.0),))
    cloud = cloud_from_spec(spec)
    colors = (cloud.sh[:, 0] * C0 + 0.5).mean(axis=1)
    x, y, z = cloud.means.T
    radial = (cloud.rotations()[:, 0, 2] * x + cloud.rotations()[:, 1, 2] * y) / np.hypot(x, y)
    inside = (radial < -0.5) & (z < 0.25) | (z < 0.02) & (cloud.rotations()[:, 2, 2] > 0.5)
    outside = radial > 0.5
    assert inside.sum() > 100
    assert colors[inside].max() < 0.18
    assert colors[inside].mean() < 0.7 * colors[outside].mean()
