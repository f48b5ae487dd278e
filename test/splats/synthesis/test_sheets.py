import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.splats.synthesis.sheets import Cover, Sheet, graded_cells, pitched_cells, sheet_samples


def sheet(width=0.5, height=0.3, spacing=0.02, covers=()):
    cells = (graded_cells(length, spacing) for length in (width, height))
    return Sheet(4, (1.0, 2.0, 3.0), (width, 0.0, 0.0), (0.0, height, 0.0), *cells, covers)


def fill(middles, widths, length):
    assert widths.sum() == pytest.approx(length)
    assert (widths > 0).all()
    np.testing.assert_allclose(middles[1:] - middles[:-1], 0.5 * (widths[1:] + widths[:-1]), atol=1e-9)


@given(length=st.floats(0.002, 6.0), spacing=st.floats(0.005, 0.2))
def test_cells_fill_the_length_without_gaps(length, spacing):
    middles, widths = graded_cells(length, spacing)
    fill(middles, widths, length)
    assert widths.max() <= spacing * (1 + 1e-9)


@given(start=st.floats(-5.0, 5.0), length=st.floats(0.01, 6.0), pitch=st.floats(0.01, 2.0))
def test_pitched_cells_end_at_multiples_of_their_pitch(start, length, pitch):
    middles, widths = pitched_cells(start, length, pitch)
    fill(middles, widths, length)
    ends = (start + np.cumsum(widths)[:-1]) / pitch
    np.testing.assert_allclose(ends, np.round(ends), atol=1e-6)


def test_cells_are_small_beside_edges():
    _, widths = graded_cells(2.0, 0.1)
    assert widths[0] == widths[-1] < 0.02
    assert widths.max() > 0.09


def test_a_sheet_is_covered_once():
    samples = sheet_samples([sheet(), sheet(0.2, 0.1)])
    assert samples.widths.prod(axis=1).sum() == pytest.approx(0.15 + 0.02)
    np.testing.assert_allclose(samples.normals, np.broadcast_to([0.0, 0.0, 1.0], samples.points.shape))
    np.testing.assert_allclose(samples.points[:, 2], 3.0)
    assert (samples.pieces == 4).all()


@given(
    x=st.floats(0.1, 0.9), y=st.floats(0.1, 0.9), a=st.floats(0.03, 0.3), b=st.floats(0.03, 0.3), turn=st.floats(-3, 3)
)
def test_what_a_cover_hides_is_left_out_and_its_outline_is_fine(x, y, a, b, turn):
    cover = Cover((x, y), (a, b), turn, False, 0.0, 0.012)
    samples = sheet_samples([sheet(1.0, 1.0, 0.1, (cover,))])
    places = samples.points[:, :2] - (1.0, 2.0)
    depth = cover.depth(places)
    assert depth.max() <= 0.0
    assert samples.widths.max(axis=1)[depth > -0.01].max(initial=0.0) <= 1.4 * 0.012 + 1e-9
    corners = np.array([(x, y)]) + np.array([(s * a, t * b) for s in (-1, 1) for t in (-1, 1)]) @ np.array(
        [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    )
    if ((corners > 0.02) & (corners < 0.98)).all():
        assert samples.widths.prod(axis=1).sum() == pytest.approx(1.0 - 4 * a * b, abs=0.15 * (a + b) + 0.01)


def test_a_round_cover_hides_a_disc_and_a_zone_hides_nothing():
    disc = sheet_samples([sheet(1.0, 1.0, 0.1, (Cover((0.5, 0.5), (0.2, 0.2), 0.0, True, 0.0, 0.01),))])
    assert disc.widths.prod(axis=1).sum() == pytest.approx(1.0 - math.pi * 0.04, abs=0.01)
    zone = sheet_samples([sheet(1.0, 1.0, 0.1, (Cover((0.5, 0.5), (0.2, 0.2), reach=None, finest=0.02),))])
    assert zone.widths.prod(axis=1).sum() == pytest.approx(1.0)
    middle = (np.abs(zone.points[:, :2] - (1.5, 2.5)) < 0.19).all(axis=1)
    assert zone.widths[middle].max() <= 1.4 * 0.02
    assert zone.widths.max() > 0.05


def test_near_views_show_sharp_edges_of_usual_furniture():
    for spacing in (0.02, 0.05, 0.09):
        middles, widths = graded_cells(1.2, spacing)
        assert widths[0] == widths[-1] <= 0.0101
        assert len(middles) < 1.2 / spacing + 8
