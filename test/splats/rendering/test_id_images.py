import numpy as np
import pytest
from small_home import CABINET, CARTON, small_home

from vantage.errors import FormatError
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.rendering.id_images import PartNames, named_by, render_parts
from vantage.splats.synthesis.from_spec import cloud_from_spec

CAMERA = Intrinsics.from_fov(320, 240, 1.2)


@pytest.fixture(scope="module")
def home():
    spec = small_home()
    return spec, cloud_from_spec(spec, 0.6)


def test_instances_classes_and_parts_are_exact(home):
    spec, cloud = home
    labels = sorted({obj.label for obj in spec.objects})
    kind = {obj.instance_id: 1 + labels.index(obj.label) for obj in spec.objects}
    classes = np.array([kind.get(k, 0) for k in range(max(kind) + 1)], np.int32)
    names = PartNames.of(cloud)
    places = (((1.2, -0.9, 1.1), (2.2, 0.1, 0.5)), ((-1.6, 0.8, 1.0), (-2.2, 0.6, 0.88)))
    poses = [Viewpoint.looking_at(eye, target).T_world_camera_optical() for eye, target in places]
    renderer = CpuRenderer(2)
    plain = renderer.render_batch(cloud, poses, CAMERA, classes=classes)
    parts = render_parts(renderer, names, poses, CAMERA)
    by_id = {obj.instance_id: obj for obj in spec.objects}
    for whole, fine in zip(plain, parts, strict=True):
        assert (whole.instances == fine.instances).mean() > 0.995
        assert (classes[whole.instances] == whole.classes).mean() > 0.995
        for instance in np.unique(fine.instances):
            seen = np.unique(fine.parts[fine.instances == instance])
            assert seen.min() >= 1
            assert seen.max() <= len(by_id[int(instance)].part_names)
    body, door = (1 + by_id[CABINET].part_names.index(name) for name in ("body", "door"))
    assert {body, door} <= set(np.unique(parts[0].parts[parts[0].instances == CABINET]))
    assert {1, 2} <= set(np.unique(parts[1].parts[parts[1].instances == CARTON]))


def test_any_numbers_are_voted_on(home):
    _, cloud = home
    height = 1 + (cloud.means[:, 2] > 1.0).astype(np.int64)
    view = CpuRenderer(1).render(
        named_by(cloud, height), Viewpoint(-1.0, 0.0, 1.0, np.pi, 0.0).T_world_camera_optical(), CAMERA
    )
    assert (view.instances[:110] == 2).mean() > 0.98
    assert (view.instances[135:] == 1).mean() > 0.98


def test_nothing_is_named_by_zero():
    empty = PartNames.of(GaussianCloud.empty())
    assert empty.instances.tolist() == empty.parts.tolist() == [0]


@pytest.mark.parametrize("numbers", [[1.0, 2.0], [1], [1, -2], [1, 2**31]])
def test_impossible_numbers_are_refused(numbers):
    cloud = GaussianCloud(
        np.zeros((2, 3)), np.ones((2, 3)), np.tile([1.0, 0, 0, 0], (2, 1)), np.ones(2), np.zeros((2, 1, 3)), np.ones(2)
    )
    with pytest.raises(FormatError, match="number"):
        named_by(cloud, numbers)
