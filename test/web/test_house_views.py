"""Homes as MuJoCo shows them, through the server: the renderer's own pixels, and bags with what was moved in them."""

from __future__ import annotations

import sys
from contextlib import closing

import numpy as np
import pytest
from browsers import console_errors, first, picture, until
from gold_bags import CODEC, Telling, gold, said
from open_field import OpenFieldWorld, make_episode
from touch_home import BLOCK, touch_home

from vantage.errors import MissingExtraError
from vantage.recording import (
    TRUTH,
    TRUTH_POSES,
    BagWriter,
    EpisodeListener,
    PlannerPublisher,
    QaPublisher,
    WorldPublisher,
)
from vantage.runs import EpisodeRunner
from vantage.scenes.spec import save_spec
from vantage.spatial import Intrinsics, Viewpoint, rigid
from vantage.splats.rendering import make_renderer
from vantage.types import Poses
from vantage.web import HOUSE, Viewer, Wish, check_pages
from vantage.web.bag_story import read_story
from vantage.worlds.house import HomeViews, house_picture

pytestmark = [pytest.mark.needs("house"), pytest.mark.needs("gl"), pytest.mark.needs("web")]
PAGE = Intrinsics.from_fov(640, 480, 1.2)
START = Viewpoint(0.0, 0.0, 1.4, 0.0, -0.3)
MOVED = Poses({BLOCK: rigid(np.eye(3), np.array([1.2, -0.45, 0.8]))})


def renderer():
    return make_renderer("cpu", 1)


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("homes")
    (folder / "touch").mkdir()
    save_spec(touch_home(), folder / "touch" / "spec.json")
    return folder


class MovingBlock(EpisodeListener):
    """Writes gold data, and with the second look that the block was moved."""

    def __init__(self, bag):
        self._bag, self._looks = bag, 0

    def started(self, episode, agent, stamp):
        self._bag.write(TRUTH, stamp, CODEC.truth(stamp, gold()))

    def observed(self, observation):
        self._looks += 1
        if self._looks == 2:
            self._bag.write(TRUTH_POSES, observation.stamp, CODEC.poses(observation.stamp, "e1", MOVED))


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    """Of two looks in the home, the block elsewhere in the second."""
    with BagWriter(tmp_path_factory.mktemp("bags"), "e1", {"world": HOUSE}) as writer:
        listeners = [
            MovingBlock(writer),
            PlannerPublisher(CODEC, writer.write),
            WorldPublisher(CODEC, writer.write, lambda topic: not topic.optional),
            QaPublisher(CODEC, writer.write),
        ]
        agent = Telling(("yaw+",), said("red"))
        EpisodeRunner(OpenFieldWorld(), agent, listeners).run(make_episode("e1", scene="touch", start=START), 0)
        return writer.finish("e1")


def at(viewer, path):
    return f"http://127.0.0.1:{viewer.server.port}{path}"


def drawn(viewer, browser, number):
    """The exact pixels of the picture of that number in the page that is open."""
    canvas = browser.find_elements("css selector", ".canvas")[number]
    return viewer.pictures.drawn_anew(canvas.get_attribute("data-canvas"))


def test_a_home_is_shown_as_its_renderer_draws_it(homes, browser):
    with Viewer(Wish(homes / "touch"), renderer) as viewer:
        found = check_pages(viewer)
        assert (found["pictures"], found["pictures_equal"], found["console_errors"]) == (1, True, 0)
        browser.get(viewer.address())
        at_table = "0,0,1.4,0,-0.3"
        browser.get(at(viewer, f"{viewer.first[0]}?mode=fly&at={at_table}"))
        image = picture(browser)
        expected = house_picture(touch_home(), START, PAGE)
        np.testing.assert_array_equal(drawn(viewer, browser, 0), expected)
        image.click()
        until(lambda: "id " in first(browser, "[role=status]").text, "a name")
        for query in ("mode=top&show=ids", "mode=orbit&show=depth", "mode=top&show=free%20space"):
            browser.get(at(viewer, f"{viewer.first[0]}?{query}"))
            picture(browser)
            assert drawn(viewer, browser, 0).std() > 10
        assert console_errors(browser) == []


def test_a_bag_of_a_house_is_rendered_with_what_was_moved(homes, bag, browser):
    steps = read_story(bag).steps
    assert [set(step.moved.things) for step in steps] == [set(), {BLOCK}]
    with Viewer(Wish(bag, scenes=homes), renderer) as viewer, closing(HomeViews(touch_home())) as views:
        browser.get(viewer.address())
        picture(browser)
        until(lambda: "where they are at this step" in browser.page_source, "what is said of the house")
        camera = read_story(bag).camera
        for number, step in enumerate(steps):
            browser.get(at(viewer, f"{viewer.first[0]}?step={number}"))
            until(lambda: len(browser.find_elements("css selector", ".canvas img[src]")) == 3, "three pictures")
            views.place(step.moved)
            np.testing.assert_array_equal(drawn(viewer, browser, 1), views.view(step.viewpoint, camera).rgb)
        assert console_errors(browser) == []


def test_without_truth_a_house_is_as_at_its_start(homes, bag, browser):
    assert all(not step.moved for step in read_story(bag, with_truth=False).steps)
    with Viewer(Wish(bag, scenes=homes, with_truth=False), renderer) as viewer:
        browser.get(viewer.address())
        picture(browser)
        until(lambda: "as it is at the start" in browser.page_source, "what is said of the house")


def test_without_mujoco_one_sentence_says_what_to_install(homes, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "mujoco" else sys.modules.get(name))
    with pytest.raises(MissingExtraError, match="WITH=house"):
        Viewer(Wish(homes, world=HOUSE), renderer)
