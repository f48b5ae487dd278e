import numpy as np
import pytest
from row_tables import each_row

from vantage.scenes.catalog.catalog import BRIGHT
from vantage.scenes.looks.looks import LOOKS
from vantage.scenes.looks.textures import Patch, hashed, smooth_noise
from vantage.scenes.spec.palette import COLORS, nearest_color

ONLY = {"sky": (), "screen": (), "film": (), "burner": (), "globe": ("blue",)}  # looks that show something of their own
TOPS = ("keys", "rug", "burner", "water")


def front(look, rgb, size=(0.02, 0.4, 0.3), count=60):
    """Samples all over the front of a part, or over its top."""
    place = (np.stack(np.meshgrid(*[np.arange(count)] * 2), axis=-1).reshape(-1, 2) + 0.5) / count - 0.5
    local = np.zeros((len(place), 3))
    local[:, ((0, 1) if look in TOPS else (1, 2))] = place * np.array(size)[[0, 1] if look in TOPS else [1, 2]]
    if look in ("ball", "globe"):
        local = np.random.default_rng(0).normal(size=local.shape)
        local *= 0.5 * np.asarray(size) / np.linalg.norm(local, axis=1, keepdims=True)
    n = len(local)
    sizes, base = np.tile(size, (n, 1)), np.tile(np.asarray(rgb, dtype=float), (n, 1))
    return Patch(local + np.array([0.1, 0.2, 0.5]), local, sizes, base, np.full(n, 5))


@each_row("look", sorted(LOOKS))
def test_a_look_keeps_the_word_of_the_color(look):
    for word, rgb in COLORS.items():
        for size in ((0.02, 0.4, 0.3), (0.3, 0.3, 0.3)):
            patch = front(look, rgb, size)
            colors = LOOKS[look].paint(patch)
            assert colors.shape == (len(patch.points), 3)
            assert np.isfinite(colors).all()
            if word in ONLY.get(look, BRIGHT):
                assert nearest_color(tuple(np.clip(colors, 0, 1).mean(axis=0).tolist())) == word


def test_a_film_differs_from_a_dark_screen_and_a_hot_plate_from_a_cold_one():
    dark = LOOKS["dark screen"].paint(front("dark screen", COLORS["black"]))
    film = LOOKS["film"].paint(front("film", COLORS["black"]))
    assert film.mean() > dark.mean() + 0.3
    assert film.std(axis=0).max() > 0.1
    hot = LOOKS["burner"].paint(front("burner", COLORS["black"])).mean(axis=0)
    assert hot[0] > 2 * hot[2]


@pytest.mark.parametrize("look", ["days", "lines"])
def test_pages_show_something_dark_on_light(look):
    colors = LOOKS[look].paint(front(look, COLORS["white"], count=120)).mean(axis=1)
    assert 0.02 < (colors < 0.75).mean() < 0.5
    assert (colors > 0.85).mean() > 0.4


def test_noise_is_smooth_bounded_and_repeatable():
    points = np.random.default_rng(0).uniform(-20, 20, (5000, 3))
    values = smooth_noise(points, 3)
    assert np.abs(values).max() <= 1.0
    assert values.std() > 0.2
    assert abs(values.mean()) < 0.05
    np.testing.assert_array_equal(values, smooth_noise(points, np.full(len(points), 3)))
    assert np.abs(smooth_noise(points + 1e-4, 3) - values).max() < 2e-3
    assert np.abs(smooth_noise(points, 4) - values).max() > 0.5


def test_numbers_from_cells_are_spread_evenly():
    cells = np.stack(np.meshgrid(np.arange(-40, 40), np.arange(-40, 40), [0.0]), axis=-1).reshape(-1, 3)
    values = hashed(cells, 1)
    assert len(np.unique(values)) > 6000
    assert abs(values.mean()) < 0.05
    assert values.std() == pytest.approx(3**-0.5, rel=0.05)
