"""The print benchmark on a small home, with a reader that knows what it will be shown."""

import dataclasses
import math

import numpy as np
import pytest
from small_home import CAN, CARTON, small_home

from vantage.bench import text_legibility as bench
from vantage.errors import SceneError, UsageError
from vantage.scenes.spec.spec import ObjectSpec, Part
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.synthesis.from_spec import cloud_from_spec


class Reader:
    """Reads every label from near, wrongly that of a can, and nothing that is small."""

    def read(self, observation, detection):
        left, top, width, height = detection.box
        assert observation.rgb[top : top + height, left : left + width].std() > 5
        if height < 60:
            return ""
        return "corn  flakes" if detection.label == "box" else "SOAP"


def prints(spec):
    return {printed.obj.instance_id: printed for printed in bench.printed_texts(spec)}


def test_the_printed_objects_of_a_home_and_where_their_fronts_are():
    found = prints(small_home())
    assert set(found) == {CARTON, CAN}
    assert found[CARTON].facing == pytest.approx(0.4)
    expected = np.array([-2.2, 0.6, 0.88]) + 0.0425 * np.array([math.cos(0.4), math.sin(0.4), 0.0])
    np.testing.assert_allclose(found[CARTON].middle, expected)


def test_only_directions_with_a_free_view_are_taken():
    spec = small_home()
    board = Part("box", (0.0, 0.0, 0.5), (0.02, 1.0, 1.0), (0.5, 0.5, 0.5))
    screen = ObjectSpec(50, "screen", "gray", "", (-1.95, 0.7, 0.74), 0.4, (board,), room=1)
    walled = dataclasses.replace(spec, objects=(*spec.objects, screen))
    for home, count in ((spec, bench._PER_PRINT), (walled, 0)):
        cloud = cloud_from_spec(home)
        printed = prints(home)[CARTON]
        alone = cloud.select(cloud.instances == CARTON)
        poses = list(bench._unhidden(CpuRenderer(2), cloud, alone, printed, np.random.default_rng(0)))
        assert len(poses) == count
        for pose in poses:
            eye = pose(0.5).position - printed.middle
            assert np.linalg.norm(eye) == pytest.approx(0.5)
            assert abs(math.remainder(math.atan2(eye[1], eye[0]) - 0.4, math.tau)) <= math.radians(30.0) + 1e-9


def test_the_shares_of_views_that_are_read(monkeypatch):
    monkeypatch.setattr(bench, "OcrReader", Reader)
    monkeypatch.setattr(bench, "_homes", lambda seed: iter([small_home()] * 2))
    data = bench.bench_print(8)
    assert data["views"] == 8
    assert data["legible_near"] == 0.5
    assert data["legible_far"] == 0.0
    assert not data["met"]
    assert {(miss["text"], miss["read"]) for miss in data["misread"]} == {("SOUP", "SOAP")}
    with pytest.raises(SceneError, match="ask for fewer"):
        bench.bench_print(1000)


def test_another_camera_looks_from_where_letters_have_as_many_pixels(monkeypatch):
    monkeypatch.setattr(bench, "OcrReader", Reader)
    monkeypatch.setattr(bench, "_homes", lambda seed: iter([small_home()] * 2))
    usual, wide = bench.bench_print(2), bench.bench_print(2, camera=bench.lens_of(512, 512, 90.0))
    assert wide["focal_px"] == 256.0
    assert wide["near_m"] == pytest.approx(0.5 * 256 / bench.CAMERA.fy, abs=1e-4)
    for data in (usual, wide):
        assert sum(each["views"] for each in data["letters"]) == 6
        assert {each["from_px"] for each in data["letters"]} <= set(bench.LETTER_PIXELS)
    largest = [data["letters"][-1]["to_px"] for data in (usual, wide)]
    assert largest[0] == pytest.approx(largest[1], rel=0.01)


@pytest.mark.parametrize("fov", [0.0, 180.0, math.nan])
def test_a_camera_without_a_field_of_view_is_refused(fov):
    with pytest.raises(UsageError, match="the field of view must be"):
        bench.lens_of(512, 512, fov)


def test_letters_are_legible_from_the_height_from_which_all_larger_ones_are_read():
    def shares(*values):
        return [{"from_px": float(k), "read": value} for k, value in enumerate(values)]

    assert bench._legible_from(shares(0.0, 0.95, 0.5, 0.9, 1.0)) == 3.0
    assert bench._legible_from(shares(1.0, 0.5)) is None


def test_words_are_compared_without_case_and_blanks():
    assert bench.squeezed(" Corn flakes\n") == "CORNFLAKES"


def test_a_share_of_the_gaussians_is_looked_at_from_the_same_places(monkeypatch):
    monkeypatch.setattr(bench, "OcrReader", Reader)
    monkeypatch.setattr(bench, "_homes", lambda seed: iter([small_home()] * 2))
    whole, shared = bench.bench_print(4), bench.bench_print(4, gaussians=(1.0, 0.25))
    assert {key: value for key, value in shared.items() if key != "gaussians"} == {
        key: value for key, value in whole.items() if key != "gaussians"
    }
    assert whole["gaussians"] == []
    all_of_them, few = shared["gaussians"]
    assert (all_of_them["share"], few["share"]) == (1.0, 0.25)
    assert all_of_them["letters"] == whole["letters"]
    assert [each["views"] for each in few["letters"]] == [each["views"] for each in whole["letters"]]


def test_no_share_is_told_what_was_read_with_another(monkeypatch):
    class Remembering(Reader):
        """Tells of a place what it read there first, as real readers do."""

        def __init__(self):
            self.known = {}

        def read(self, observation, detection):
            return self.known.setdefault((observation.viewpoint, detection.box), str(observation.rgb.std()))

    read = []
    monkeypatch.setattr(bench, "OcrReader", Remembering)
    monkeypatch.setattr(bench, "_homes", lambda seed: iter([small_home()] * 2))
    monkeypatch.setattr(bench._Trial, "is_right", staticmethod(lambda printed, text: bool(read.append(text))))
    bench.bench_print(1, gaussians=(1.0, 0.9))
    half = len(read) // 2
    assert set(read[:half]).isdisjoint(read[half:])


def test_a_smaller_share_keeps_some_of_a_greater_one():
    spec = small_home()
    cloud = cloud_from_spec(spec)
    printed = prints(spec)[CARTON]
    alone = cloud.select(cloud.instances == CARTON)
    lots = np.random.default_rng(1).random(len(cloud.means))
    place = bench._Place(printed, cloud, alone, bench.PrintPose(printed, 0.0, 0.0), lots)
    half, quarter = (place.thinned(share) for share in (0.5, 0.25))
    assert place.thinned(1.0) is place
    assert len(half.cloud.means) == pytest.approx(0.5 * len(cloud.means), rel=0.05)
    assert {tuple(mean) for mean in quarter.cloud.means} <= {tuple(mean) for mean in half.cloud.means}
    np.testing.assert_array_equal(half.alone.means, half.cloud.means[half.cloud.instances == CARTON])


def test_shares_are_read_or_refused_in_a_sentence():
    assert bench.read_shares("1.0,0.5,0.50,0.25") == (1.0, 0.5, 0.25)
    for text in ("", "0", "1.5", "half", "0.5,,"):
        with pytest.raises(UsageError, match="above 0 and up to 1"):
            bench.read_shares(text)
