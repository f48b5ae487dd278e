import numpy as np
import pytest
from small_home import small_home

from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.first_views import first_view
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.spec.outlines import points_inside
from vantage.splats.scene import SplatScene
from vantage.splats.space.free_space import find_free_space
from vantage.splats.synthesis.from_spec import cloud_from_spec

RADIUS, HEIGHT = 0.15, 1.2


def free_space(spec, voxel):
    graph = SceneGraph.from_spec(spec)
    bounds = spec.bounds_min, spec.bounds_max
    scene = SplatScene(spec.name, cloud_from_spec(spec, 0.5), graph, *bounds, 0.0, first_view(spec))
    return find_free_space(scene, voxel, RADIUS)


def free_floor(space, room):
    """Share of a room's floor above which the body can be."""
    low, voxel = np.asarray(space.solid.bounds_min), space.solid.voxel
    places = space.places[:, :, int((HEIGHT - low[2]) / voxel)]
    middles = low[:2] + (np.argwhere(np.ones_like(places)) + 0.5) * voxel
    inside = points_inside(room.outline, *middles.T)
    return float(places.ravel()[inside].mean())


@pytest.mark.parametrize("voxel", [0.05, 0.1])
def test_a_body_passes_the_doorway_and_no_wall(voxel):
    spec = small_home()
    space = free_space(spec, voxel)
    assert space.indoors
    assert [free_floor(space, room) > 0.4 for room in spec.rooms] == [True, True]
    assert space.solid.path_free((-0.6, 0.0, HEIGHT), (0.6, 0.0, HEIGHT), RADIUS)
    assert not space.solid.path_free((-0.6, 1.0, HEIGHT), (0.6, 1.0, HEIGHT), RADIUS)
    assert not space.solid.path_free((-0.6, 0.0, 2.25), (0.6, 0.0, 2.25), RADIUS)
    assert not space.solid.path_free((-3.5, 0.0, HEIGHT), (-4.5, 0.0, HEIGHT), RADIUS)


def test_without_a_doorway_the_other_room_cannot_be_reached():
    spec = small_home(doorway=False)
    space = free_space(spec, 0.1)
    kitchen, bathroom = (free_floor(space, room) for room in spec.rooms)
    assert kitchen > 0.4
    assert bathroom == 0.0


def test_all_rooms_of_a_generated_home_are_reached():
    spec = generate_home(2, 5)
    space = free_space(spec, 0.1)
    assert space.indoors
    assert all(free_floor(space, room) > 0.15 for room in spec.rooms)
    assert space.problem(first_view(spec).position) is None
