import numpy as np
import pytest

from vantage.scenes.catalog import BRIGHT
from vantage.scenes.palette import COLORS, nearest_color
from vantage.scenes.spec import Part
from vantage.splats.painting.looks import LOOKS, Patch
from vantage.splats.painting.noise import smooth_noise
from vantage.splats.painting.surfaces import part_samples

ONLY = {"sky": (), "screen": (), "globe": ("blue",)}  # looks that show something of their own


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_look_keeps_the_word_of_the_color(look):
    finish = LOOKS[look]
    for word, rgb in COLORS.items():
        for size in ((0.02, 0.4, 0.3), (0.3, 0.3, 0.3)):
            part = Part("ellipsoid" if look in ("ball", "globe") else "box", (0.1, 0.2, 0.5), size, rgb, look=look)
            samples = part_samples(part, finish.spacing or 0.01)
            colors = finish.paint(Patch(part, samples, 5))
            assert colors.shape == (len(samples), 3)
            assert np.isfinite(colors).all()
            mean = np.average(np.clip(colors, 0, 1), axis=0, weights=samples.widths.prod(axis=1))
            if word in ONLY.get(look, BRIGHT):
                assert nearest_color(tuple(mean.tolist())) == word


def test_noise_is_smooth_bounded_and_repeatable():
    points = np.random.default_rng(0).uniform(-20, 20, (5000, 3))
    values = smooth_noise(points, 3)
    assert np.abs(values).max() <= 1.0
    assert values.std() > 0.2
    assert abs(values.mean()) < 0.05
    np.testing.assert_array_equal(values, smooth_noise(points, 3))
    assert np.abs(smooth_noise(points + 1e-4, 3) - values).max() < 2e-3
    assert np.abs(smooth_noise(points, 4) - values).max() > 0.5
