"""Views that cannot be used are counted and told, and the node goes on."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from camera_stream import CameraStream, room_views
from ros_fixtures import call, context_on, eventually, parameters, spinning
from vantage_eqa.srv import AskQuestion

from vantage.nodes.qa.observed_views import ObservedViews
from vantage.nodes.qa.qa_node import QaNode
from vantage.recording.topics import DEPTH, TF
from vantage.types import Observation

pytestmark = pytest.mark.real_time

SECOND = 10**9


@pytest.fixture
def camera() -> Iterator[CameraStream]:
    with context_on() as context:
        camera, qa = CameraStream(context), QaNode(context, parameters(agent__min_pixels=12))
        with spinning(context, camera), spinning(context, qa):
            yield camera


def at(seconds: float, views: tuple[Observation, ...]) -> list[Observation]:
    """Views from a moment on, ten a second."""
    return [replace(view, stamp=round(seconds * SECOND) + k * SECOND // 10) for k, view in enumerate(views)]


def color(camera: CameraStream) -> str:
    return str(call(camera, AskQuestion, "ask_question", question="What color is the mug?").answer.text)


def test_views_without_a_pose_are_told_and_the_others_are_used(camera: CameraStream) -> None:
    views = room_views()
    camera.show(at(10.0, (*views, *views[:16])), without=[TF], seen=False)
    eventually(lambda: int(camera.diagnosed("views left out: without /tf") or 0) > 0)
    eventually(lambda: [words for words in camera.complaints() if "they came without /tf" in words])
    assert color(camera) != "red"
    camera.show(at(100.0, views))
    assert color(camera) == "red"
    lost = replace(views[0].viewpoint, x=math.nan)
    camera.show([replace(views[0], stamp=200 * SECOND, viewpoint=lost)], seen=False)
    eventually(lambda: [words for words in camera.complaints() if "pose" in words or "nan" in words.lower()])
    assert color(camera) == "red"


def test_views_without_depth_are_told(camera: CameraStream) -> None:
    camera.show(at(10.0, room_views()), without=[DEPTH], seen=False)
    eventually(lambda: int(camera.diagnosed("views left out: without camera/depth/image_raw") or 0) > 0)
    assert color(camera) != "red"


def test_a_clock_that_jumps_is_told_and_views_go_on(camera: CameraStream) -> None:
    views = room_views()
    camera.show(at(5000.0, views[:4]))
    camera.show(at(3.0, views))
    eventually(lambda: [words for words in camera.complaints() if "jumped back by" in words])
    assert color(camera) == "red", "what came after the jump was looked at"
    camera.show(at(9e8, views[:2]))
    eventually(lambda: camera.diagnosed("clock jumps") == "2")
    assert color(camera) == "red"


def test_a_node_that_goes_looks_at_no_more_views(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def observe(observed: ObservedViews, observation: Observation) -> None:
        looked.append(observation.stamp)
        time.sleep(1.5)

    monkeypatch.setattr(ObservedViews, "observe", observe)
    with context_on() as context:
        camera, qa = CameraStream(context), QaNode(context, parameters())
        with spinning(context, camera), spinning(context, qa):
            camera.show(at(10.0, room_views()[:8]), seen=False)
            eventually(lambda: looked)
    assert len(looked) < 4


def test_late_views_are_counted(camera: CameraStream) -> None:
    views = room_views()
    camera.show(at(10.0, views[:8]))
    camera.show([replace(views[0], stamp=10 * SECOND + 5)], seen=False)
    eventually(lambda: camera.diagnosed("views left out: is older than the newest") == "1")
