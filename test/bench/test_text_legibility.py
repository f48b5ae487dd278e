"""The print benchmark on a small home, with a reader that knows what it will be shown."""

import dataclasses
import math

import numpy as np
import pytest
from small_home import CAN, CARTON, small_home

from vantage.bench import text_legibility as bench
from vantage.errors import SceneError
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
    return {printed.obj.instance_id: printed for printed in bench._printed_texts(spec)}


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


def test_words_are_compared_without_case_and_blanks():
    assert bench._squeezed(" Corn flakes\n") == "CORNFLAKES"
