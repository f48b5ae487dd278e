"""Scenes, bags and runs as they are served: in Chromium, and to those who send nonsense."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browsers import console_errors, first, narrow, picture, sideways, until
from gold_bags import Telling, gold, record, said
from phased import EXPLORE, REENTER, PhasedAgent, look_answer_look_again
from small_room import small_room

from vantage.errors import UsageError
from vantage.splats import save_scene
from vantage.splats.rendering import make_renderer
from vantage.web import Viewer, Wish, check_pages

pytestmark = pytest.mark.needs("web")
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> \u202e"


def renderer():
    return make_renderer("cpu", 2)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two folders of bags: of the second the second episode goes another way, and one bag is partial."""
    folder = tmp_path_factory.mktemp("runs")
    for run, actions in (("one", ("x+", "yaw+")), ("two", ("x+", "x+"))):
        record(folder / run, "e1", Telling(("x+", "yaw+"), said(HOSTILE), (0,)), gold())
        record(folder / run, "e2", Telling(actions, said("red"), (0,)), gold())
    record(folder / "one", "e3", Telling(("x+",), said("red")), gold(), finish=False)
    return folder


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    cloud, graph = small_room()
    return save_scene(tmp_path_factory.mktemp("scene") / "room", None, graph, cloud)


def opened(viewer, path, cookie=None, **headers):
    parts = urlsplit(f"http://127.0.0.1:{viewer.server.port}")
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    connection.request("GET", path, headers={**headers, **({"cookie": cookie} if cookie else {})})
    response = connection.getresponse()
    body = response.read().decode("utf-8", "replace")
    return response.status, body, response.headers


def entered(viewer):
    parts = urlsplit(viewer.server.address())
    return opened(viewer, f"/?{parts.query}")[2]["set-cookie"].split(";")[0]


def at(viewer, path):
    return f"http://127.0.0.1:{viewer.server.port}{path}"


def test_runs_are_listed_compared_and_escaped(runs, browser):
    with Viewer(Wish(runs / "one", compare=runs / "two"), renderer) as viewer:
        browser.get(viewer.address())
        until(lambda: len(browser.find_elements("css selector", "tbody a")) == 3, "the table")
        until(lambda: "First run minus the second" in browser.page_source, "the paired difference")
        assert browser.find_elements("css selector", "td img, td script") == []
        assert "onerror=alert(2)" in first(browser, ".wide tbody").text
        search = first(browser, "input")
        search.send_keys("e2")
        until(lambda: len(browser.find_elements("css selector", "tbody a")) == 1, "the filter")
        browser.get(first(browser, "tbody a").get_attribute("href"))
        until(lambda: "They part at step 2." in browser.page_source, "the parting")
        until(lambda: len(browser.find_elements("css selector", ".canvas img")) == 2, "two pictures")
        until(lambda: "Step 0 of 2: both do the same." in browser.page_source, "the first step")
        first(browser, "body").send_keys("\ue010")  # End
        until(lambda: browser.current_url.endswith("step=2"), "the address of the step")
        until(lambda: "from other places" in browser.page_source, "the difference")
        assert console_errors(browser) == []


def test_a_bag_is_stepped_by_keys_and_every_step_has_an_address(runs, browser):
    with Viewer(Wish(runs / "one" / "e1"), renderer) as viewer:
        browser.get(viewer.address())
        picture(browser)
        until(lambda: "Step 0 of 2" in browser.page_source, "the first step")
        first(browser, "body").send_keys("\ue014")  # right arrow
        until(lambda: browser.current_url.endswith("step=1"), "the address of the step")
        assert "Step 1 of 2" in browser.page_source
        browser.get(browser.current_url.replace("step=1", "step=2"))
        until(lambda: "Step 2 of 2" in browser.page_source, "the step of the address")
        assert "onerror=alert(2)" in first(browser, "dl").text
        assert browser.find_elements("css selector", "dl img, dl script") == []


def test_a_partial_bag_is_shown(runs, browser):
    with Viewer(Wish(runs / "one" / "e3.partial"), renderer) as viewer:
        browser.get(viewer.address())
        picture(browser)
        assert "not finished" in browser.page_source


@pytest.mark.parametrize("with_truth", [True, False])
def test_gold_and_judge_are_shown_with_truth_alone(runs, browser, with_truth):
    with Viewer(Wish(runs / "one" / "e2", with_truth=with_truth), renderer) as viewer:
        browser.get(viewer.address())
        first(browser, "dl")
        until(lambda: "confidence 0.90" in browser.page_source, "the answer")
        assert ("Gold answer" in browser.page_source, "Judge" in browser.page_source) == (with_truth, with_truth)


def test_pages_do_not_scroll_sideways_on_a_narrow_screen(runs, scene, browser):
    with narrow(browser):
        with Viewer(Wish(scene), renderer) as viewer:
            browser.get(viewer.address())
            picture(browser)
            assert browser.execute_script("return window.innerWidth") == 400
            assert sideways(browser) == [0, []]
        with Viewer(Wish(runs / "one", compare=runs / "two"), renderer) as viewer:
            browser.get(viewer.address())
            for path in ("/", *(next(p for p in viewer.first if p.startswith(kind)) for kind in ("/bag", "/pair"))):
                browser.get(at(viewer, path))
                first(browser, "tbody a" if path == "/" else "dl")
                assert sideways(browser) == [0, []]


def test_a_scene_turns_and_names_what_is_clicked(browser, scene):
    with Viewer(Wish(scene), renderer) as viewer:
        browser.get(at(viewer, f"{viewer.first[0]}?token={viewer.server.gate.admit('viewer')}"))
        image = picture(browser)
        before = image.get_attribute("src")
        first(browser, "body").send_keys("d")
        until(lambda: first(browser, ".canvas img").get_attribute("src") != before, "the turn")
        image.click()
        until(lambda: first(browser, "[role=status]").text, "a name")
        assert console_errors(browser) == []


def test_the_check_finds_pictures_equal(browser, scene):
    with Viewer(Wish(scene), renderer) as viewer:
        found = check_pages(viewer)
    assert found["pictures"] == 1
    assert found["pictures_equal"]
    assert (found["console_errors"], found["requests_elsewhere"]) == (0, 0)


def test_ids_alone_open_things(runs):
    with Viewer(Wish(runs / "one"), renderer) as viewer:
        cookie = entered(viewer)
        real = next(path for path in viewer.first if path.startswith("/bag/"))
        assert opened(viewer, real, cookie)[0] == 200
        for other in ("e1", "../e1", str(runs / "one" / "e1"), "%2e%2e%2fe1", real[5:] + "x", "..%5ce1", "%00"):
            assert opened(viewer, f"/bag/{other}", cookie)[0] == 404
        assert opened(viewer, f"{real}?step=x", cookie)[0] in (200, 422)
        assert opened(viewer, f"{real}?step=-5", cookie)[0] == 200


def test_a_thousand_malformed_messages_stop_nothing(runs):
    from websockets.sync.client import connect

    draw = random.Random(3)
    kinds = [b"40", b"42", b"2", b"3", b"41", b"451-", b"42[", b"", b"4", b"9", b"\x00"]
    with Viewer(Wish(runs / "one"), renderer) as viewer:
        cookie, origin = entered(viewer), at(viewer, "").rstrip("/")
        url = f"ws://127.0.0.1:{viewer.server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        sent = 0
        while sent < 1000:
            with connect(url, origin=origin, additional_headers={"cookie": cookie}, open_timeout=60) as socket:
                try:
                    for _ in range(100):
                        kind = draw.choice(kinds).decode()
                        args = json.dumps(
                            [
                                draw.choice(["event", "handshake", "ack", "log"]),
                                {"client_id": draw.choice(kinds).decode()},
                            ]
                        )
                        socket.send(kind + draw.choice([args, "{", "[]", '"x"', "\u202e" * 20]))
                        sent += 1
                except Exception:  # closed by the server, as it may
                    sent += 1
        assert opened(viewer, "/", cookie)[0] == 200


def test_what_cannot_be_shown_is_one_sentence(tmp_path, runs):
    for wish, said_ in (
        (Wish(tmp_path / "no"), "there is nothing"),
        (Wish(tmp_path), "holds neither"),
        (Wish(runs / "one" / "e1", compare=runs / "two"), "--compare goes with"),
    ):
        with pytest.raises(UsageError, match=said_):
            Viewer(wish, renderer)


def test_the_command_prints_its_address_and_ends_on_a_signal(runs):
    command = [sys.executable, "-m", "vantage.cli.main", "view", str(runs / "one"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent) as process:
        try:
            told = json.loads(process.stdout.readline())
            assert told["schema"] == "vantage.view/1"
            assert told["address"].startswith("http://127.0.0.1:")
        finally:
            process.terminate()
        assert process.wait(60) == 0


def test_phases_have_marks_on_the_timeline_and_buttons_that_go_there(tmp_path, browser):
    agent = PhasedAgent({EXPLORE: ["x+", "y+"], REENTER: ["y+", "yaw+"]})
    bag, _ = record(tmp_path, "four", agent, None, whole=look_answer_look_again("four"))
    with Viewer(Wish(bag), renderer) as viewer:
        browser.get(viewer.address())
        picture(browser)
        until(lambda: "Step 0 of 5, phase explore" in browser.page_source, "the first step")
        labels = browser.find_elements("css selector", ".q-slider__marker-labels")
        assert {label.text for label in labels} == {"1", "2", "3", "4"}
        buttons = browser.find_elements("css selector", "[aria-label=Phases] button")
        assert [button.text for button in buttons] == ["1 explore", "2 answer", "3 reenter", "4 refine"]
        buttons[2].click()
        until(lambda: "Step 3 of 5, phase reenter" in browser.page_source, "the step where the third phase begins")
        assert console_errors(browser) == []
