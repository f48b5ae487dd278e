"""Bitmaps of a home: the same bytes for the same seeds, print, light, and what is kept of them."""

from dataclasses import replace

import numpy as np
import pytest
from touch_home import BLOCK, FLOOR, touch_home

from vantage.errors import SceneError
from vantage.worlds.house.looks import page_cache
from vantage.worlds.house.looks.painting import paint_home


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def home():
    return touch_home()


def with_part(home, number, **changes):
    """The home with the first part of an object changed."""
    objects = [
        replace(obj, parts=(replace(obj.parts[0], **changes), *obj.parts[1:])) if obj.instance_id == number else obj
        for obj in home.objects
    ]
    return replace(home, objects=tuple(objects))


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one.pages, other.pages, strict=True))


def texels(painted, number, face):
    """The bitmap of a face of the first part of an object, (h, w, 3)."""
    placed = next(each for each in painted.charts[number, 0] if each.chart.face == face)
    page = painted.pages[placed.page]
    low, high = (placed.places.min(axis=0), placed.places.max(axis=0)) * np.array(page.shape[1::-1])
    (left, top), (right, bottom) = np.rint(low).astype(int), np.rint(high).astype(int)
    return page[top:bottom, left:right]


def test_the_same_seeds_give_the_same_bytes(home, monkeypatch):
    monkeypatch.setattr("vantage.worlds.house.looks.painting.read_pages", lambda *_: None)
    usual = paint_home(home)
    assert same(usual, paint_home(home))
    for seeds in ({"light_seed": 1}, {"texture_seed": 1}):
        other = paint_home(home, **seeds)
        assert not same(usual, other)
        assert same(other, paint_home(home, **seeds))


def test_pages_are_kept_and_damage_is_painted_anew(home, tmp_path, monkeypatch):
    usual = paint_home(home)
    (kept,) = (tmp_path / "vantage" / "house").glob("*.zip")
    monkeypatch.setattr("vantage.worlds.house.looks.painting._pages", lambda *_: pytest.fail("painted again"))
    assert same(usual, paint_home(home))
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept.write_bytes(kept.read_bytes()[:100])
    assert same(usual, paint_home(home))


@pytest.mark.parametrize("lot", ["light_seed", "texture_seed"])
def test_pages_of_a_lot_are_not_kept(home, tmp_path, lot):
    paint_home(home, **{lot: 3})
    assert not list(tmp_path.rglob("*.zip"))


def test_the_oldest_pages_go(tmp_path, monkeypatch):
    monkeypatch.setattr(page_cache, "MOST_ENTRIES", 2)
    page = np.zeros((2, 2, 3), np.uint8)
    for number in range(4):
        page_cache.keep_pages(f"key{number}", (page,))
    assert len(list((tmp_path / "vantage" / "house").glob("*.zip"))) == 2
    assert page_cache.read_pages("key3", [(2, 2)]) is not None
    assert page_cache.read_pages("key3", [(2, 3)]) is None


def test_print_is_ink_on_the_front(home):
    printed = with_part(home, BLOCK, text="TEA", rgb=(0.95, 0.95, 0.95))
    painted = paint_home(printed)
    front, side = texels(painted, BLOCK, "x+"), texels(painted, BLOCK, "y+")
    assert front.min() < 60 < 150 < np.median(front)
    assert side.min() > 150
    ink = (front.min(axis=2) < 90).nonzero()[0]
    assert abs(ink.mean() / len(front) - 0.5) < 0.1  # in the middle


def test_wood_has_grain_and_plain_parts_have_one_color(home):
    floor = texels(paint_home(with_part(home, FLOOR, look="boards")), FLOOR, "z+").astype(float)
    assert floor.shape[0] > 300
    assert 3 < floor.mean(axis=2).std() < 40


def test_unknown_looks_and_letters_are_refused(home):
    with pytest.raises(SceneError, match="unknown look 'wodo'"):
        paint_home(with_part(home, BLOCK, look="wodo"))
    with pytest.raises(SceneError, match="no letter is known"):
        paint_home(with_part(home, BLOCK, text="\u00e9t\u00e9"))
