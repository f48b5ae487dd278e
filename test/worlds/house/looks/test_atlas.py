"""Bitmaps on pages."""

import numpy as np

from vantage.worlds.house.looks.atlas import BORDER, Spot, pack, paste, texture_places


def test_bitmaps_do_not_overlap():
    rng = np.random.default_rng(0)
    sizes = [tuple(int(side) for side in rng.integers(1, 300, 2)) for _ in range(400)]
    layout = pack(sizes)
    used = [np.zeros((height, width), int) for width, height in layout.pages]
    for (width, height), spot in zip(sizes, layout.spots, strict=True):
        area = used[spot.page][
            spot.row - BORDER : spot.row + height + BORDER, spot.column - BORDER : spot.column + width + BORDER
        ]
        assert area.shape == (height + 2 * BORDER, width + 2 * BORDER)
        area += 1
    assert max(page.max() for page in used) == 1
    assert len(layout.pages) > 1


def test_nothing_to_pack():
    assert pack([]).pages == ()


def test_the_border_repeats_the_edge():
    page = np.zeros((9, 10, 3), np.uint8)
    bitmap = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    paste(page, Spot(0, 3, 4), bitmap)
    padded = np.pad(bitmap, ((BORDER, BORDER), (BORDER, BORDER), (0, 0)), mode="edge")
    np.testing.assert_array_equal(page[2:8, 1:9], padded)


def test_places_on_a_page():
    uv = np.array([(0.0, 0.0), (1.0, 1.0)])
    np.testing.assert_allclose(texture_places(uv, Spot(0, 10, 20), (40, 30), (100, 200)), [(0.1, 0.1), (0.5, 0.25)])
