import math

import numpy as np
import pytest
from row_tables import each_row
from small_home import small_home

from vantage.errors import SceneError, UsageError
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.first_views import first_view
from vantage.scenes.graph.graph import SceneGraph
from vantage.scenes.spec.outlines import holds
from vantage.scenes.spec.palette import nearest_color
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec, object_bounds
from vantage.scenes.spec.spec_file import load_spec
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.formats.clouds import load_cloud
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.scene_file import load_scene
from vantage.splats.synthesis.from_spec import cloud_from_spec, coarseness, make_scene


@pytest.mark.parametrize(("seed", "rooms"), [(1, 1), (6, 4), (7, 10)])
def test_homes_of_all_sizes_stay_within_the_budget(seed, rooms):
    assert 90_000 < len(cloud_from_spec(generate_home(seed, rooms))) < 400_000


def test_larger_homes_have_larger_cells_and_empty_ones_have_the_finest():
    assert coarseness(small_home()) < coarseness(generate_home(1, 2)) < coarseness(generate_home(1, 10))


def test_the_first_view_is_free_and_in_the_largest_room():
    for spec in (small_home(), generate_home(3, 1), generate_home(4, 4)):
        view = first_view(spec)
        for obj in spec.objects:
            if not obj.is_structure:
                low, high = object_bounds(obj)
                gap = np.maximum(np.maximum(np.subtract(low, view.position), view.position - high), 0.0)
                assert np.linalg.norm(gap) > 0.15
        outlines = [np.array(room.outline) for room in spec.rooms]
        sizes = [float(np.ptp(each, axis=0).prod()) for each in outlines]
        assert holds(outlines[int(np.argmax(sizes))], *view.position[:2])


CAMERA = Intrinsics.from_fov(320, 240, 1.2)


@pytest.fixture(scope="module")
def room():
    return generate_home(3, 1)


@pytest.fixture(scope="module")
def cloud(room):
    return cloud_from_spec(room)


@pytest.fixture(scope="module")
def views(room, cloud):
    """What a camera sees from four corners, looking across the room, and from the middle, looking around."""
    renderer = CpuRenderer(2)
    x, y = room.bounds_max[0] - 0.4, room.bounds_max[1] - 0.4
    poses = []
    for z in (0.8, 1.5, 2.2):
        poses += [
            Viewpoint.looking_at((sx * x, sy * y, z), (-0.6 * sx * x, -0.6 * sy * y, 0.7))
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        poses += [Viewpoint(0.0, 0.0, z, 0.5 * math.pi * k + 0.4, -0.3) for k in range(4)]
    try:
        return [renderer.render(cloud, pose.T_world_camera_optical(), CAMERA) for pose in poses]
    finally:
        renderer.close()


def test_the_same_specification_gives_the_same_bytes(room, cloud):
    again = cloud_from_spec(room)
    for name in ("means", "scales", "quaternions", "opacities", "sh", "instances", "parts"):
        assert getattr(again, name).tobytes() == getattr(cloud, name).tobytes()


def test_every_object_has_gaussians_within_its_box(room, cloud):
    for obj in room.objects:
        means = cloud.means[cloud.instances == obj.instance_id].astype(np.float64)
        assert len(means) >= 20, obj.label
        low, high = object_bounds(obj)
        assert (means >= np.asarray(low) - 4e-3).all(), obj.label
        assert (means <= np.asarray(high) + 4e-3).all(), obj.label
    assert set(np.unique(cloud.instances)) == {obj.instance_id for obj in room.objects}


def test_a_room_has_a_usual_size(cloud):
    assert 90_000 < len(cloud) < 200_000
    assert cloud.degree == 0
    assert cloud.scales.max() < 0.3


def test_density_changes_the_number_of_gaussians(room, cloud):
    assert 0.3 < len(cloud_from_spec(room, 0.4)) / len(cloud) < 0.75


@pytest.mark.parametrize("density", [0.0, -1.0, math.nan, math.inf])
def test_impossible_densities_are_refused(room, density):
    with pytest.raises(UsageError, match="density"):
        cloud_from_spec(room, density)


def test_surfaces_are_closed(views):
    for view in views:
        assert np.percentile(view.alpha, 1) > 0.95
        assert view.alpha.min() > 0.5
        assert np.isfinite(view.depth).all()


def test_a_mean_color_is_called_by_its_word(room, views):
    judged, right = 0, 0
    for obj in room.objects:
        masks = [view.instances == obj.instance_id for view in views]
        if sum(int(mask.sum()) for mask in masks) < 60 or not obj.color:
            continue
        pixels = np.concatenate([view.rgb[mask] for view, mask in zip(views, masks, strict=True)])
        r, g, b = pixels.mean(axis=0) / 255.0
        judged += 1
        right += nearest_color((float(r), float(g), float(b))) == obj.color
    assert judged >= 40
    assert right / judged > 0.93


def test_what_is_in_a_closed_container_is_never_seen(room, views):
    closed = {obj.instance_id for obj in room.objects if "closed" in obj.states}
    hidden = [obj.instance_id for obj in room.objects if obj.relation == "in" and obj.parent in closed]
    assert hidden
    for view in views:
        assert not np.isin(view.instances, hidden).any()


def lone(part, **words):
    obj = ObjectSpec(1, words.pop("label", "thing"), "red", words.pop("material", ""), (0.0, 0.0, 1.0), 0.7, (part,))
    return SceneSpec("lone", 0, 1, (-2.0, -2.0, 0.0), (2.0, 2.0, 2.5), (obj,))


@each_row("axis", ["x", "y", "z"])
@each_row("shape", ["box", "cylinder", "ellipsoid", "cone"])
def test_gaussians_lie_flat_on_the_surface(shape, axis):
    size = (0.3, 0.3, 0.5)
    spec = lone(Part(shape, (0.0, 0.0, 0.0), size, (0.8, 0.1, 0.1), axis=axis, ends=(1.0, 0.4)))
    cloud = cloud_from_spec(spec)
    c, s = math.cos(0.7), math.sin(0.7)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    local = (cloud.means.astype(np.float64) - (0.0, 0.0, 1.0)) @ turn
    normals = cloud.rotations()[:, :, 2] @ turn
    half = 0.5 * np.asarray(size)
    assert (np.abs(local) <= half + 1e-6).all()
    assert ((local * normals).sum(axis=1) > 0).all()  # a convex surface around the origin faces away from it
    assert (cloud.scales[:, 2] <= cloud.scales[:, :2].min(axis=1)).all()
    if shape == "ellipsoid":
        np.testing.assert_allclose(np.linalg.norm(local / half, axis=1), 1.0, atol=1e-5)
    if shape == "box":
        np.testing.assert_allclose((np.abs(local) / half).max(axis=1), 1.0, atol=1e-5)


def test_open_faces_are_left_out():
    part = Part("box", (0.0, 0.0, 0.0), (0.3, 0.3, 0.3), (0.8, 0.1, 0.1), ("z+", "x-"))
    cloud = cloud_from_spec(lone(part))
    normals = np.unique(np.round(cloud.rotations()[:, :, 2], 3), axis=0)
    assert len(normals) == 4
    assert normals[:, 2].max() < 0.5


def test_an_unknown_look_is_corrected():
    part = Part("box", (0.0, 0.0, 0.0), (0.3, 0.3, 0.3), (0.8, 0.1, 0.1), look="would")
    with pytest.raises(SceneError, match="did you mean 'wood'"):
        cloud_from_spec(lone(part))


def test_a_scene_folder_is_complete_and_loads(tmp_path):
    folder = make_scene(8, tmp_path / "home", "home", density=0.3)
    assert {path.name for path in folder.iterdir()} == {"spec.json", "graph.json", "cloud.ply", "scene.yaml"}
    scene = load_scene(folder)
    spec = load_spec(folder / "spec.json")
    assert spec == generate_home(8, 1, "home")
    assert scene.graph == SceneGraph.from_json(SceneGraph.from_spec(spec).to_json())
    assert scene.start is not None
    assert scene.name == "home"
    again = make_scene(8, tmp_path / "again", "home", density=0.3)
    for name in ("spec.json", "graph.json", "cloud.ply"):
        assert (folder / name).read_bytes() == (again / name).read_bytes()
    assert set(np.unique(load_cloud(folder / "cloud.ply").instances)) == {t.instance_id for t in spec.objects}


def test_part_ids_are_those_of_the_specification(room, cloud):
    for obj in room.objects:
        of_object = cloud.parts[cloud.instances == obj.instance_id]
        assert of_object.min() >= 1, obj.label
        assert of_object.max() <= len(obj.part_names), obj.label


def test_a_home_of_several_rooms_is_made_and_loads(tmp_path):
    folder = make_scene(5, tmp_path / "home", "home", density=0.3, rooms=3)
    scene = load_scene(folder)
    assert scene.graph is not None
    assert len(scene.graph.rooms) == 3
    assert "home of 3 rooms" in scene.shows
    assert scene.cloud.parts.max() >= 1
    for node in scene.graph.nodes:
        parts = scene.cloud.parts[scene.cloud.instances == node.instance_id]
        assert set(np.unique(parts)) <= set(range(1, len(node.parts) + 1))
