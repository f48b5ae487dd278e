"""Colours of pages that all can read, computed from what pages are given."""

from __future__ import annotations

import re

import pytest

from vantage.web import page

_LEAST = 4.5  # WCAG 2, of text to what is behind it
_NAMED = r"--(\w+): (#[0-9a-f]{6})"
_ON_WHITE = {**dict(re.findall(_NAMED, page._STYLE)), **page._COLORS}
_ON_DARK = dict(re.findall(_NAMED, page._DARK_STYLE))


def luminance(color: str) -> float:
    """As WCAG 2 defines it, of ``#rrggbb``."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # just too little


@pytest.mark.parametrize("name", sorted(set(_ON_WHITE) - {"line", "ground"}))
def test_texts_and_buttons_stand_out_from_white(name: str) -> None:
    assert {"text", "quiet", "wrong", "primary", "negative"} <= set(_ON_WHITE)
    assert contrast(_ON_WHITE[name], "#ffffff") >= _LEAST


@pytest.mark.parametrize("name", sorted(set(_ON_DARK) - {"line", "ground"}))
def test_texts_stand_out_from_the_dark_ground(name: str) -> None:
    assert {"text", "quiet", "wrong", "accent", "ground"} <= set(_ON_DARK)
    assert contrast(_ON_DARK[name], _ON_DARK["ground"]) >= _LEAST
