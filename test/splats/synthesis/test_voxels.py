import numpy as np
from small_home import CABINET, small_home

from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.splats.synthesis.voxels import SceneVoxels

NONE = np.zeros((0, 3))


def cell(air, point):
    return tuple(np.floor((np.asarray(point) - air.low) / air.voxel).astype(int))


def test_rooms_and_doorways_are_air_and_walls_are_not():
    spec = small_home()
    air = SceneVoxels(spec, NONE)
    assert not air.filled[cell(air, (-1.0, 1.0, 1.0))]
    assert not air.filled[cell(air, (1.5, -1.0, 1.0))]
    assert not air.filled[cell(air, (0.0, 0.0, 1.0))]
    assert air.filled[cell(air, (0.0, 1.0, 1.0))]
    assert air.filled[cell(air, (0.0, 0.0, 2.3))]
    assert air.filled[cell(air, (-2.2, 0.6, 0.72))]  # the top of the table
    assert SceneVoxels(small_home(doorway=False), NONE).filled[cell(air, (0.0, 0.0, 1.0))]
    assert CABINET in {obj.instance_id for obj in spec.objects}


def test_only_what_is_enclosed_is_shut_in():
    closed = [
        Part("box", center, size, (1, 1, 1))
        for center, size in (
            ((0, 0, 0.02), (0.8, 0.8, 0.04)),
            ((0, 0, 0.78), (0.8, 0.8, 0.04)),
            *(((s * 0.38, 0, 0.4), (0.04, 0.8, 0.8)) for s in (-1, 1)),
            *(((0, s * 0.38, 0.4), (0.8, 0.04, 0.8)) for s in (-1, 1)),
        )
    ]
    inside, outside = np.array([[0.0, 0.0, 0.04]]), np.array([[0.0, 0.0, 0.80]])
    up = np.array([[0.0, 0.0, 1.0]])
    for parts, shut in ((closed, True), (closed[:2] + closed[3:], False)):
        chest = ObjectSpec(1, "chest", "", "", (0.0, 0.0, 0.0), 0.0, tuple(parts))
        air = SceneVoxels(SceneSpec("s", 0, 2, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.4), (chest,)), NONE)
        assert air.faces_enclosed_air(inside, up)[0] == shut
        assert not air.faces_enclosed_air(outside, up)[0]


def test_a_path_ends_at_what_is_filled():
    air = SceneVoxels(small_home(), NONE)
    start = np.array([[-1.0, 0.0, 1.0], [-1.0, 1.0, 1.0]])
    free = air.path_is_free(start, np.array([1.0, 0.0, 0.0]), np.array([2.0, 2.0]))
    assert free.tolist() == [True, False]
