"""Shares of colors in what shows of an object."""

from __future__ import annotations

import math

import pytest

from vantage.scenes.geometry.visible_colors import color_shares
from vantage.scenes.spec.palette import COLORS, shade
from vantage.scenes.spec.spec import Part


def part(color: str, center, size, **words) -> Part:
    return Part(words.pop("form", "box"), center, size, COLORS[color], **words)


LOWER = (0.0, 0.0, 0.25), (0.5, 0.5, 0.5)
UPPER = (0.0, 0.0, 0.75), (0.5, 0.5, 0.5)


def test_one_color_is_all_that_shows_in_light_and_shade() -> None:
    dark = Part("box", *UPPER, shade(COLORS["red"], 0.8))
    assert color_shares([part("red", *LOWER), dark]) == {"red": 1.0}


@pytest.mark.parametrize("form", ["box", "cylinder"])
def test_two_halves_share_what_shows(form: str) -> None:
    shares = color_shares([part("red", *LOWER, form=form), part("white", *UPPER, form=form)])
    assert sum(shares.values()) == pytest.approx(1.0)
    assert 0.3 < shares["red"] < shares["white"] < 0.7  # of which the top shows as well


def test_what_is_inside_or_behind_does_not_show() -> None:
    core = part("blue", (0.0, 0.0, 0.25), (0.3, 0.3, 0.3))
    back = part("green", (-0.26, 0.0, 0.25), (0.01, 0.5, 0.5))
    shares = color_shares([part("red", *LOWER), core, back])
    assert shares.get("blue", 0.0) == 0.0
    assert shares["green"] < 0.1
    open_above = part("red", *LOWER, open_faces=("z+",))
    assert color_shares([open_above, core])["blue"] > 0.02


def test_thin_and_round_and_turned_parts_have_their_shares() -> None:
    pole = part("gray", (0.0, 0.0, 0.5), (0.02, 0.02, 1.0), form="cylinder")
    bulb = part("white", (0.0, 0.0, 1.2), (0.4, 0.4, 0.4), form="ellipsoid")
    hood = part("white", (0.0, 0.0, 1.2), (0.4, 0.4, 0.4), form="cone", ends=(1.0, 0.5))
    for shade_of in (bulb, hood):
        assert 0.05 < color_shares([pole, shade_of])["gray"] < 0.4
    lying = part("red", (0.0, 0.0, 0.5), (0.02, 0.02, 1.0), rotation=(0.0, math.pi / 2, 0.0))
    assert color_shares([lying]) == {"red": 1.0}


def test_what_has_colors_of_its_own_is_of_no_color() -> None:
    picture = part("red", (0.0, 0.0, 0.25), (0.02, 0.5, 0.5), look="painting")
    assert color_shares([picture]) == {"": 1.0}
