"""The page about a rig and its model: well-formed, self-contained, escaped, small."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rig_bags import ACTIONS, EPISODE_1, moved, record_rig, room_settings, save_room

from vantage.reports.charts import view_chart
from vantage.reports.sim_to_real import Comparison, compare
from vantage.reports.sim_to_real_page import write_comparison


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    return save_room(tmp_path_factory.mktemp("scenes"))


@pytest.fixture(scope="module")
def settings(scene):
    return room_settings(scene)


class Checker(HTMLParser):
    """Well-formed nesting, and what the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.sources += [str(value) for key, value in attrs if key in ("src", "href")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(found: Comparison, out: Path) -> tuple[str, Checker]:
    page = write_comparison(found, out).read_text()
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    assert "script" not in checker.tags
    assert not re.search(r"https?://|@import|url\(", page)
    return page, checker


def test_the_page_is_well_formed_self_contained_and_escaped(scene, settings, tmp_path):
    bag, _ = record_rig(tmp_path, settings, EPISODE_1, ACTIONS)
    page, checker = checked(compare(bag, scene, settings, bag), tmp_path / "deep" / "page.html")
    assert all(source.startswith(("data:image/jpeg;base64,", "#view-")) for source in checker.sources)
    assert page.count("data:image/jpeg;base64,") == 15
    assert page.count('<svg class="chart"') == 2
    assert page.count("<article") == 5
    assert "<b>box</b>" not in page
    assert "Not counted because" not in page


def test_a_long_episode_shows_the_views_least_alike_and_stays_small(tmp_path, scene, settings):
    bag, _ = record_rig(tmp_path, settings, EPISODE_1, ("yaw+",) * 34, moved(0.0, turn=0.4, only=17))
    found = compare(bag, scene, settings)
    page, checker = checked(found, tmp_path / "page.html")
    assert checker.tags.count("article") == 24
    assert 'id="view-18"' in page
    assert "11 more views are in the table only" in page
    assert len(page) < 10_000_000


def test_charts_of_one_view_and_of_equal_pictures():
    assert view_chart("PSNR, dB", [float("inf")], [float("inf")], [True], 5.0).count("<circle") == 2
    drawn = view_chart("SSIM", [0.9, float("nan"), 0.8], [0.95, float("nan"), 0.9], [True, False, True], 0.05)
    assert drawn.count("<circle") == 4
    assert "nan" not in drawn
    assert "0.925 in the mean" in drawn
