"""All that is written on pages can be read: 4.5:1 between a text and what lies behind it, as the browser draws it."""

from __future__ import annotations

import pytest
from browsers import first, picture, until
from contrast import faint
from gold_bags import Telling, gold, record, said
from phased import EXPLORE, PhasedAgent, look_answer_look_again
from small_room import small_room

from vantage.splats import save_scene
from vantage.splats.rendering import make_renderer
from vantage.web import Viewer, Wish

pytestmark = pytest.mark.needs("web")


def renderer():
    return make_renderer("cpu", 1)


def test_faint_text_is_found(browser):
    browser.get("data:text/html,<p>one</p><p>two</p><p>three</p><p style='color:%23999'>faint</p>")
    assert [(text, scheme) for text, *_, scheme in faint(browser)] == [("faint", "dark"), ("faint", "light")]


def test_pages_of_view_can_be_read(browser, tmp_path):
    for run in ("one", "two"):
        record(tmp_path / run, "e1", Telling(("x+",), said("red"), (0,)), gold())
        record(tmp_path / run, "a1", PhasedAgent({EXPLORE: ["x+", "y+"]}), None, whole=look_answer_look_again("a1"))
    with Viewer(Wish(tmp_path / "one", compare=tmp_path / "two"), renderer) as viewer:
        browser.get(viewer.address())
        first(browser, "tbody a")
        until(lambda: "First run minus the second" in browser.page_source, "the paired difference")
        assert faint(browser) == []
        for path in viewer.first[1:]:
            browser.get(f"http://127.0.0.1:{viewer.server.port}{path}")
            picture(browser)
            first(browser, "dl")
            assert faint(browser) == []
    cloud, graph = small_room()
    with Viewer(Wish(save_scene(tmp_path / "room", None, graph, cloud)), renderer) as viewer:
        browser.get(viewer.address())
        picture(browser)
        assert faint(browser) == []
