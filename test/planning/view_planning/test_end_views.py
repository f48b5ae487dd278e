"""How well views show boxes, as expected in a drawn map and as found in depth images."""

import math
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from vantage.perception.map.coverage import FREE, OCCUPIED, CoverageMap
from vantage.planning.view_planning.end_views import ENOUGH, EndView, Face, Shown, best_first
from vantage.planning.view_planning.information_gain import Panorama
from vantage.reader_thresholds import SIZE_PIXELS
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

CAMERA = Intrinsics.from_fov(512, 512, math.pi / 2)
YAWS, PITCHES = np.arange(4) * math.pi / 2, np.array([-math.pi / 4, 0.0])
PANORAMA = Panorama(CAMERA, YAWS, PITCHES)
MUG, TOP = Shown((3.0, 1.4, 0.8), (3.2, 1.6, 1.0)), Shown((2.6, 1.0, 0.7), (3.4, 2.0, 0.8), top=True)
BASKET = Shown((3.0, 1.3, 0.0), (3.4, 1.7, 0.4), steep=0.6)
AHEAD, DOWN = (0, 1), (0, 0)


def drawn(*walls):
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = FREE
    for low, high in walls:
        first, last = (np.round(np.array(corner) / coverage.voxel).astype(int) for corner in (low, high))
        coverage._states[first[0] : last[0], first[1] : last[1], first[2] : last[2]] = OCCUPIED
    return coverage


def expected(shown, position, heading, *walls):
    end = EndView(shown if isinstance(shown, list) else [shown])
    return float(end.expected(PANORAMA, drawn(*walls), np.array([position]), CAMERA.fx)[0][heading])


def test_a_box_ahead_is_shown_and_one_behind_is_not():
    assert expected(MUG, (2.0, 1.5, 1.2), AHEAD) >= ENOUGH
    assert expected(MUG, (2.0, 1.5, 1.2), (2, 1)) == 0.0


def test_what_is_far_away_is_too_small():
    small = Shown((5.6, 1.45, 0.9), (5.7, 1.55, 1.0))
    assert 0.0 < expected(small, (0.3, 1.5, 1.2), AHEAD) < ENOUGH <= expected(small, (5.0, 1.5, 1.1), AHEAD)


def test_what_stands_before_it_hides_it():
    wall = (2.3, 0.0, 0.0), (2.5, 3.0, 2.0)
    assert expected(MUG, (1.5, 1.5, 1.2), AHEAD, wall) == 0.0
    half = (2.3, 1.5, 0.0), (2.5, 3.0, 2.0)
    assert 0.0 < expected(MUG, (1.5, 1.5, 1.0), AHEAD, half) < expected(MUG, (1.5, 1.5, 1.0), AHEAD)


def test_what_is_cut_off_is_shown_less_than_what_is_not():
    near = Shown((1.5, 1.8, 1.0), (1.7, 2.9, 1.4))
    assert expected(near, (1.1, 1.5, 1.2), AHEAD) < ENOUGH <= expected(near, (0.2, 1.5, 1.2), AHEAD)


def test_a_top_is_seen_from_above_alone_and_all_of_it():
    assert expected(TOP, (2.0, 1.5, 0.5), AHEAD) == 0.0
    assert expected(TOP, (2.4, 1.5, 1.8), DOWN) >= ENOUGH
    assert expected(TOP, (3.0, 1.5, 1.0), DOWN) < ENOUGH, "half of it is behind the camera"


def test_one_looks_down_into_what_holds_something():
    assert expected(BASKET, (1.2, 1.5, 0.5), DOWN) < ENOUGH <= expected(BASKET, (2.6, 1.5, 1.2), DOWN)


def test_several_are_shown_as_well_as_the_worst_of_them():
    position = (2.0, 1.5, 1.2)
    behind = Shown((0.5, 1.4, 0.8), (0.7, 1.6, 1.0))
    assert expected([MUG, behind], position, AHEAD) == 0.0
    beside = Shown((3.0, 1.0, 0.8), (3.2, 1.2, 1.0))
    both = expected([MUG, beside], position, AHEAD)
    assert both == min(expected(MUG, position, AHEAD), expected(beside, position, AHEAD))


HERE = Viewpoint(2.0, 1.5, 0.9, 0.0, 0.0)


def observed(depth, viewpoint=HERE):
    rgb = np.zeros((512, 512, 3), np.uint8)
    image = None if depth is None else np.full((512, 512), depth, np.float32)
    return Observation(1, viewpoint, CAMERA, rgb, image)


@pytest.mark.parametrize(
    ("depth", "is_shown"), [(None, True), (1.05, True), (5.0, True), (math.nan, True), (0.6, False)]
)
def test_a_view_that_was_taken_is_judged_by_its_depth(depth, is_shown):
    assert (EndView([MUG]).seen(observed(depth), {0: 3000}) >= ENOUGH) is is_shown


def test_a_view_that_was_taken_is_judged_by_the_pixels_that_were_detected():
    found = [EndView([MUG]).seen(observed(5.0), pixels) for pixels in ({0: 3000}, {0: 300}, {0: 100}, {1: 3000})]
    assert found[0] > found[1] > found[2] > 0.0
    assert 0.0 < found[3] < ENOUGH <= found[0], "it was not detected at all"
    assert EndView([TOP]).seen(observed(5.0), {}) == EndView([TOP]).seen(observed(5.0), {0: 10})


def test_detected_pixels_count_as_if_they_lay_in_the_middle():
    few = round(0.5 * SIZE_PIXELS)
    aside = EndView([MUG]).seen(observed(5.0, Viewpoint(2.0, 1.5, 0.9, 0.6, 0.0)), {0: few})
    ahead = EndView([MUG]).seen(observed(5.0), {0: few})
    assert aside == pytest.approx(ahead * math.cos(0.6) ** 3, rel=0.01)


def test_a_face_is_seen_from_before_it_and_near():
    face = Face((3.0, 1.5, 0.9), (-1.0, 0.0, 0.0), math.cos(0.7), 1.0)
    ahead, aside, behind, far = face.quality(
        np.array([[2.1, 1.5, 0.9], [3.0, 0.7, 0.9], [3.8, 1.5, 0.9], [1.7, 1.5, 0.9]])
    )
    assert ahead == 1.0
    assert max(aside, behind) < ENOUGH
    assert far < ENOUGH
    anywhere = replace(face, within=math.inf).quality(np.array([[0.1, 1.5, 0.9], [3.0, 0.7, 0.9], [3.8, 1.5, 0.9]]))
    assert anywhere[0] == 1.0
    assert 0.0 < anywhere[1] == anywhere[2] < ENOUGH


def test_a_face_is_seen_aslant_from_nearer_by_the_square_root_of_the_cosine():
    face, limit = Face((3.0, 1.5, 0.9), (-1.0, 0.0, 0.0), math.cos(1.2), 1.0), math.sqrt(math.cos(1.0))
    way = np.array([-math.cos(1.0), math.sin(1.0), 0.0])
    near, far = face.quality(np.array(face.middle) + np.array([[0.99], [1.1]]) * limit * way)
    assert near == 1.0
    assert far == pytest.approx(1.1**-8)


def test_more_is_asked_of_the_size_where_more_is_needed():
    pixels = round(1.4 * SIZE_PIXELS)
    for least, is_enough in ((0.5, True), (1.0, True), (1.2, False), (2.0, False)):
        assert (EndView([replace(MUG, least=least)]).seen(observed(5.0), {0: pixels}) >= ENOUGH) is is_enough


def test_a_look_that_is_enough_has_three_tenths_more_pixels_than_readers_need():
    for share, is_enough in ((1.0, False), (1.28, False), (1.32, True)):
        found = EndView([MUG]).seen(observed(5.0), {0: round(share * SIZE_PIXELS)})
        assert (found >= ENOUGH) is is_enough


def test_a_view_that_looks_elsewhere_does_not_show_it():
    assert EndView([MUG]).seen(observed(5.0, Viewpoint(2.0, 1.5, 0.9, math.pi, 0.0)), {}) == 0.0
    assert EndView([MUG]).seen(observed(5.0, Viewpoint(2.0, 1.5, 0.9, 0.8, 0.0)), {0: 3000}) < ENOUGH, "it is cut off"


def test_a_flat_thing_has_a_surface_too():
    sheet = Shown((2.9, 1.3, 0.8), (3.2, 1.7, 0.8))
    assert expected(sheet, (2.6, 1.5, 1.4), DOWN) >= ENOUGH


def test_the_best_views_come_first_and_hopeless_positions_are_not_worked_out():
    rng = np.random.default_rng(2)
    values = np.round(rng.random((400, 7)), 2)
    values[values < 0.2] = -np.inf
    most = values.max(axis=1) + np.where(rng.random(400) < 0.5, 0.2, 0.0)
    most[5] = -np.inf  # none is possible there
    values[5] = -np.inf
    worked_out = []

    def value(some):
        worked_out.extend(some.tolist())
        return values[some].astype(np.float32), values[some].copy()

    found = [place * 7 + heading for place, heading, _ in islice(best_first(most, value), 30)]
    assert found == np.argsort(-values, axis=None, kind="stable")[:30].tolist()
    assert len(set(worked_out)) == len(worked_out) < 300
    assert 5 not in worked_out


def test_after_the_last_possible_view_there_is_none():
    values = np.array([[0.5, -np.inf], [-np.inf, -np.inf]])
    found = list(best_first(np.array([0.5, 1.0]), lambda some: (values[some].astype(np.float32), values[some].copy())))
    assert found == [(0, 0, 0.5)]


def test_no_view_is_better_than_the_most_that_its_position_allows():
    positions = np.random.default_rng(4).uniform((0.3, 0.3, 0.3), (5.7, 2.7, 1.7), (200, 3))
    for end in (EndView([MUG]), EndView([TOP, BASKET])):
        best = end.expected(PANORAMA, drawn(), positions, CAMERA.fx).max(axis=(1, 2))
        assert (best <= end.most(positions, CAMERA.fx) + 1e-5).all()
        assert best.max() > 0.0
