import dataclasses

import numpy as np
import pytest

from vantage.errors import SceneError
from vantage.scenes.looks.lettering import text_layout
from vantage.scenes.looks.print_images import print_image
from vantage.scenes.spec.spec import Part

PLATE = Part("box", (0.05, 0.0, 0.1), (0.002, 0.16, 0.08), (0.95, 0.93, 0.86), look="label", text="LI")


def test_the_picture_is_upright_reads_from_left_to_right_and_has_its_size():
    image = print_image(PLATE, 2000.0)
    rows, columns = image.cover.shape
    assert (columns / image.width, rows / image.height) == pytest.approx((2000.0, 2000.0), rel=0.01)
    ink = image.cover > 128
    low, high = ink.any(axis=1).nonzero()[0][[0, -1]]
    left = ink.any(axis=0).nonzero()[0][0]
    height = text_layout(PLATE).height
    assert (high - low) / 2000.0 == pytest.approx(height, rel=0.2)
    assert ink[:, left : left + 4].sum() > 0.8 * (high - low) * 3  # the stem of the L is on the left,
    foot = ink[int(low + 0.9 * (high - low)) :].any(axis=0).sum()
    head = ink[low : int(low + 0.3 * (high - low))].any(axis=0).sum()
    assert foot > 2 * head  # and its foot is below


def test_ink_covers_the_middle_and_not_the_rim_and_is_dark_on_light():
    image = print_image(dataclasses.replace(PLATE, text="TOMATO SOUP"), 1500.0)
    rim = np.concatenate([image.cover[0], image.cover[-1], image.cover[:, 0], image.cover[:, -1]])
    assert rim.max() == 0
    assert 0.02 < (image.cover > 128).mean() < 0.4
    assert max(image.color) < 0.2


def test_unknown_letters_are_refused():
    with pytest.raises(SceneError, match="no letter"):
        print_image(dataclasses.replace(PLATE, text="SOUP€"), 1000.0)
