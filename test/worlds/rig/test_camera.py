"""Settle, then look: which picture counts, what is wrong with the others, and when looking is given up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from rig_parts import Joints, rig_parts

from vantage.errors import HardwareError
from vantage.spatial import Intrinsics
from vantage.worlds.rig.camera import Camera, Frame, FrameSelector, sharpness
from vantage.worlds.rig.cameras.mock_camera import MockCamera, read_positions
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.description import LookRules

SECOND = 1_000_000_000
CHAIN = rig_parts().description.chain
RULES = LookRules(settle=0.25, dark=5.0, frozen=3, retries=2, timeout=2.0)


class Sequence(Camera):
    """Gives what ``picture(number)`` makes, one each 0.1 s, or pictures ``early`` s older than asked for."""

    def __init__(self, clock: VirtualClock, picture: Callable[[int], np.ndarray], early: float = 0.0) -> None:
        self.clock, self.picture, self.early = clock, picture, early
        self.asked: list[tuple[int, float]] = []

    intrinsics = Intrinsics.from_fov(64, 48, 1.2)
    senses = frozenset({"rgb"})

    def open(self) -> None: ...

    def close(self) -> None: ...

    def newest(self) -> int:
        return self.clock.now()

    def frame_after(self, stamp: int, timeout: float) -> Frame:
        self.asked.append((stamp, timeout))
        return Frame(stamp + SECOND // 10 - round(self.early * SECOND), self.picture(len(self.asked)))


class Stand:
    def __init__(self, camera: Camera, rules: LookRules = RULES) -> None:
        self.told: list[tuple[str, str]] = []
        self.selector = FrameSelector(
            camera, rules, camera.clock, lambda kind, sentence: self.told.append((kind, sentence))
        )

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told]


def textured(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 255, (48, 64, 3), np.uint8)


def blurred(number: int) -> np.ndarray:
    return cv2.GaussianBlur(textured(number), (0, 0), 8.0)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


def test_a_picture_counts_when_it_was_taken_after_the_rig_had_settled(clock: VirtualClock) -> None:
    joints = Joints(1.0, 1.0, 1.0, 0.0, 0.0)
    with MockCamera(clock, CHAIN, joints, fps=20.0, latency=0.1) as camera:
        stand = Stand(camera)
        clock.sleep(3.0)
        frame = stand.selector.take(clock.now())
        assert 3.25 * SECOND < frame.stamp <= 3.3 * SECOND
        clock.sleep(3.0)
        frame = stand.selector.take(3 * SECOND)  # it has settled long since
        assert frame.stamp == pytest.approx(clock.now() - 0.1 * SECOND)
        assert stand.told == []


def test_the_deadline_of_a_picture_begins_when_the_rig_has_settled(clock: VirtualClock) -> None:
    camera = Sequence(clock, textured)
    clock.sleep(1.0)
    stand = Stand(camera)
    stand.selector.take(SECOND)
    assert camera.asked == [(round(1.25 * SECOND), pytest.approx(2.25))]
    clock.sleep(9.0)
    stand.selector.take(SECOND)
    assert camera.asked[1] == (round(1.25 * SECOND), pytest.approx(2.0))


def test_a_black_camera(clock: VirtualClock) -> None:
    with MockCamera(clock, CHAIN, Joints(1.0, 1.0, 1.0, 0.0, 0.0)) as camera:
        stand = Stand(camera)
        camera.inject("black")
        with pytest.raises(HardwareError, match=r"no usable picture among 3 in a row: the picture is black, its "
                           r"mean grey of 0.0 is below look.dark = 5; take off the lens cap"):  # fmt: skip
            stand.selector.take(0)
        assert stand.kinds == ["black"] * 3
        camera.mend()
        assert stand.selector.take(clock.now()).rgb.any()


def test_a_frozen_camera_never_passes_an_old_picture_off_as_a_new_one(clock: VirtualClock) -> None:
    joints = Joints(1.0, 1.0, 1.0, 0.0, 0.0)
    with MockCamera(clock, CHAIN, joints) as camera:
        stand = Stand(camera)
        stand.selector.take(0)
        camera.inject("frozen")
        joints.positions = np.array([7.0, 7.0, 1.0, 0.0, 0.0])
        with pytest.raises(
            HardwareError, match=r"the camera is frozen, it sent the same picture 5 times; plug it in anew"
        ):
            stand.selector.take(clock.now())
        assert stand.kinds == ["frozen"] * 3
        assert "the same picture 3 times" in stand.told[0][1]
        camera.mend()
        assert read_positions(stand.selector.take(clock.now()).rgb, CHAIN)[0] == pytest.approx(7.0, abs=0.1)


def test_a_picture_that_came_twice_is_not_used_but_no_reason_to_give_up(clock: VirtualClock) -> None:
    stand = Stand(Sequence(clock, lambda number: textured(max(2, number))))
    assert (stand.selector.take(0).rgb == textured(2)).all()
    assert (stand.selector.take(0).rgb == textured(3)).all()
    assert stand.told == []


def test_the_same_picture_asked_for_twice_is_no_frozen_camera(clock: VirtualClock) -> None:
    class Keeping(Sequence):
        def frame_after(self, stamp: int, timeout: float) -> Frame:
            self.asked.append((stamp, timeout))
            beat = (stamp // SECOND + 1) * SECOND
            return Frame(beat, textured(beat // SECOND))

    stand = Stand(Keeping(clock, textured))
    for _ in range(5):
        first = stand.selector.take(0)
    assert stand.told == []
    assert first.stamp in (SECOND, 2 * SECOND)


@pytest.mark.parametrize("frozen", [0, 1])
def test_the_check_for_frozen_cameras_can_be_turned_off(clock: VirtualClock, frozen: int) -> None:
    stand = Stand(Sequence(clock, lambda number: textured(1)), dataclasses.replace(RULES, frozen=frozen))
    stand.selector.take(0)
    if frozen == 0:
        stand.selector.take(SECOND)
        assert stand.told == []
    else:
        with pytest.raises(HardwareError, match="the same picture"):
            stand.selector.take(SECOND)


def test_blurred_pictures_are_tried_again(clock: VirtualClock) -> None:
    rules = dataclasses.replace(RULES, sharpness=50.0)
    camera = Sequence(clock, lambda number: textured(number) if number == 3 else blurred(number))
    stand = Stand(camera, rules)
    frame = stand.selector.take(0)
    assert (frame.rgb == textured(3)).all()
    assert stand.kinds == ["blur", "blur"]
    assert [stamp for stamp, _ in camera.asked] == [250_000_000, 350_000_000, 450_000_000], "each later than the last"
    assert "is below look.sharpness = 50; check the focus" in stand.told[0][1]
    with pytest.raises(HardwareError, match=r"no usable picture among 3 in a row: the picture is blurred, its sha"):
        stand.selector.take(SECOND)


def test_a_picture_that_is_older_than_asked_for_does_not_count(clock: VirtualClock) -> None:
    stand = Stand(Sequence(clock, textured, early=0.4))
    with pytest.raises(HardwareError, match=r"taken 0.300 s before the rig had settled; restart the camera"):
        stand.selector.take(SECOND)
    assert stand.kinds == ["late"] * 3


def test_a_stream_that_ends(clock: VirtualClock) -> None:
    with MockCamera(clock, CHAIN, Joints(1.0, 1.0, 1.0, 0.0, 0.0)) as camera:
        stand = Stand(camera)
        for fault, words in (("stale", "no picture came from the camera within 2.25 s"), ("gone", "went away")):
            camera.inject(fault)
            with pytest.raises(HardwareError, match=words):
                stand.selector.take(clock.now())
            camera.mend()


def test_late_pictures_are_waited_for(clock: VirtualClock) -> None:
    with MockCamera(clock, CHAIN, Joints(1.0, 1.0, 1.0, 0.0, 0.0)) as camera:
        stand = Stand(camera)
        camera.inject("late")
        frame = stand.selector.take(clock.now())
        assert clock.now() - frame.stamp == 1.5 * SECOND
        assert stand.told == []


def test_without_retries_the_first_picture_decides(clock: VirtualClock) -> None:
    stand = Stand(
        Sequence(clock, lambda number: np.zeros((48, 64, 3), np.uint8)), dataclasses.replace(RULES, retries=0)
    )
    with pytest.raises(HardwareError, match="no usable picture among 1 in a row"):
        stand.selector.take(0)
    assert stand.kinds == ["black"]


def test_sharpness_is_the_variance_of_the_laplacian() -> None:
    assert sharpness(np.full((20, 20), 90, np.uint8)) == 0.0
    grey = np.zeros((5, 5), np.uint8)
    grey[2, 2] = 10
    laplacian = np.zeros((5, 5))
    laplacian[2, 2], laplacian[[1, 2, 2, 3], [2, 1, 3, 2]] = -40, 10
    assert sharpness(grey) == pytest.approx(laplacian.var())
    noise = np.random.default_rng(1).normal(128, 3, (300, 300)).round().astype(np.uint8)
    assert sharpness(noise) == pytest.approx(20 * 9, rel=0.05)
    assert sharpness(cv2.GaussianBlur(noise, (0, 0), 2.0)) < 0.05 * sharpness(noise)
