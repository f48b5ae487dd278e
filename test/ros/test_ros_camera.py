"""The camera that hears any image topic of ROS, with a camera that publishes over DDS."""

from __future__ import annotations

import time
from contextlib import contextmanager

import cv2
import numpy as np
import pytest
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rig_parts import rig_parts, section
from ros_fixtures import context_on, eventually, new_domain, spinning
from sensor_msgs.msg import CameraInfo, CompressedImage, Image

from vantage.errors import ConfigError, HardwareError
from vantage.nodes.rig.ros_camera import RosCamera, make_ros_camera
from vantage.registry import CAMERAS
from vantage.worlds.rig.clock import SystemClock

pytestmark = pytest.mark.real_time

WIDTH, HEIGHT = 64, 48
K = [60.0, 0.0, 31.5, 0.0, 60.0, 23.5, 0.0, 0.0, 1.0]
GREY = np.repeat(np.linspace(0, 250, WIDTH).astype(np.uint8)[None, :, None], HEIGHT, axis=0).repeat(3, axis=2)
RELIABLE = QoSProfile(depth=5, reliability=ReliabilityPolicy.RELIABLE)
SENSOR = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)


class Source(Node):
    """Publishes a frame every 0.05 s; what it publishes, tests change meanwhile.

    Attributes:
        behind: s that its clock is behind; None for no stamps.
        depth_behind: s that depth is stamped after its picture.
    """

    def __init__(self, context, compressed="", depth="", quality=SENSOR, name="source", **info):
        super().__init__(name, context=context)
        self.compressed, self.depth = compressed, depth
        self.behind: float | None = 0.0
        self.depth_behind = 0.0
        self.pixels, self.encoding = GREY, "rgb8"
        self.broken = self.paused = False
        self.info = CameraInfo(width=WIDTH, height=HEIGHT, k=K, p=[*K[:3], 0.0, *K[3:6], 0.0, 0.0, 0.0, 1.0, 0.0])
        self.info.distortion_model = "plumb_bob"
        self.info.d = [0.0] * 5
        for key, value in info.items():
            setattr(self.info, key, value)
        topic, kind = ("image/compressed", CompressedImage) if compressed else ("image", Image)
        self.pictures = self.create_publisher(kind, f"/cam/{topic}", quality)
        self.infos = self.create_publisher(CameraInfo, "/cam/camera_info", quality)
        self.depths = self.create_publisher(Image, "/cam/depth", quality) if depth else None
        self.create_timer(0.05, self.publish)

    def publish(self):
        if self.paused:
            return
        now = 0 if self.behind is None else time.time_ns() - round(self.behind * 1e9)
        self.pictures.publish(stamped(self.picture(), now))
        self.infos.publish(stamped(self.info, now))
        if self.depths is not None:
            depth = np.full((HEIGHT, WIDTH), 1500 if self.depth == "16UC1" else 1.5)
            depth = depth.astype(np.uint16 if self.depth == "16UC1" else np.float32)
            message = image(depth, self.depth)
            self.depths.publish(stamped(message, now + round(self.depth_behind * 1e9)))

    def picture(self):
        if not self.compressed:
            return image(self.pixels, self.encoding)
        data = (
            b"no picture" if self.broken else cv2.imencode(f".{self.compressed}", self.pixels[..., ::-1])[1].tobytes()
        )
        return CompressedImage(format=self.compressed, data=data)


def image(pixels, encoding):
    data = np.ascontiguousarray(pixels)
    step = data.nbytes // data.shape[0]
    return Image(height=data.shape[0], width=data.shape[1], encoding=encoding, step=step, data=data.tobytes())


def stamped(message, stamp):
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, 10**9)
    return message


@contextmanager
def source(**options):
    domain = new_domain()
    with context_on(domain) as context:
        node = Source(context, **options)
        with spinning(context, node):
            yield node, domain


def make_camera(domain, told=None, **values):
    values = {"image": "/cam/image", "domain_id": domain, **values}
    camera = make_ros_camera(section(**values), rig_parts(clock=SystemClock()))
    if told is not None:
        camera.notify = lambda kind, sentence: told.append((kind, sentence))
    return camera


@contextmanager
def watching(options=None, **values):
    """A source, an open camera and what the camera noticed."""
    told: list[tuple[str, str]] = []
    with source(**(options or {})) as (node, domain), make_camera(domain, told, **values) as camera:
        yield node, camera, told


@pytest.mark.parametrize("quality", [SENSOR, RELIABLE], ids=["best effort", "reliable"])
def test_frames_come_with_their_own_stamps_and_never_twice(quality):
    with watching({"quality": quality}) as (_, camera, told):
        assert camera.senses == {"rgb"}
        assert camera.intrinsics.matrix() == pytest.approx(np.array([[60, 0, 32], [0, 60, 24], [0, 0, 1.0]]))
        stamp = time.time_ns()
        for _ in range(5):
            frame = camera.frame_after(stamp, 5.0)
            assert frame.stamp > stamp
            assert time.time_ns() - frame.stamp < 2e9
            assert np.array_equal(frame.rgb, GREY)
            assert frame.depth is None
            stamp = frame.stamp
        assert camera.newest() >= stamp
        assert told == []


@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_compressed_pictures_are_seen(kind):
    with watching({"compressed": kind}, image="/cam/image/compressed", camera_info="/cam/camera_info") as (
        _,
        camera,
        _,
    ):
        assert np.abs(camera.frame_after(0, 5.0).rgb.astype(int) - GREY).max() < 12


@pytest.mark.parametrize("encoding", ["16UC1", "32FC1"])
def test_depth_comes_with_the_picture_it_belongs_to(encoding):
    with watching({"depth": encoding}, depth="/cam/depth") as (node, camera, _):
        assert camera.senses == {"rgb", "depth"}
        node.depth_behind = 0.01
        frame = camera.frame_after(time.time_ns(), 5.0)
        assert frame.depth.dtype == np.float32
        assert frame.depth == pytest.approx(np.full((HEIGHT, WIDTH), 1.5))
        node.depth_behind = 10.0
        time.sleep(0.1)
        with pytest.raises(HardwareError, match="no picture came on /cam/image within"):
            camera.frame_after(time.time_ns(), 0.4)


def test_distortion_is_taken_out_unless_the_pictures_are_rectified():
    lens = {"d": [-0.3, 0.1, 0.0, 0.0, 0.0]}
    with watching(lens) as (_, camera, _):
        assert camera.intrinsics.cx == 32.0
        frame = camera.frame_after(0, 5.0)
        assert np.abs(frame.rgb.astype(int) - GREY).max() > 5
    with watching(lens, rectified=True) as (_, camera, _):
        assert np.array_equal(camera.frame_after(0, 5.0).rgb, GREY)
    with watching({"d": [0.1] * 4, "distortion_model": "equidistant"}) as (_, camera, _):
        assert camera.frame_after(0, 5.0).rgb.shape == (HEIGHT, WIDTH, 3)


@pytest.mark.parametrize(("behind", "words"), [(None, "no stamps"), (500.0, "behind"), (-500.0, "behind")])
def test_a_camera_without_this_machines_time_is_told_of_once(behind, words):
    told: list[tuple[str, str]] = []
    with source() as (node, domain):
        node.behind = behind
        time.sleep(0.2)
        with make_camera(domain, told) as camera:
            before = time.time_ns()
            frame = camera.frame_after(before, 5.0)
            assert before < frame.stamp <= time.time_ns()
            assert camera.frame_after(frame.stamp, 5.0).stamp > frame.stamp
        assert [kind for kind, _ in told] == ["stamps"]
        assert words in told[0][1]


def test_pictures_that_become_late_are_not_taken_for_new_ones():
    with watching() as (node, camera, _):
        node.behind = 3.0
        time.sleep(0.2)
        with pytest.raises(HardwareError, match="the newest one is"):
            camera.frame_after(time.time_ns(), 0.5)
        node.behind = 0.0
        assert camera.frame_after(time.time_ns(), 50.0)


def test_a_camera_that_goes_away_is_missed_and_may_come_back():
    domain = new_domain()
    told: list[tuple[str, str]] = []
    with context_on(domain) as context:
        node = Source(context)
        with spinning(context, node):
            camera = make_camera(domain, told)
            camera.open()
    try:
        begun = time.monotonic()
        with pytest.raises(HardwareError, match="nobody publishes /cam/image any more"):
            camera.frame_after(time.time_ns(), 80.0)
        assert time.monotonic() - begun < 50.0
        with context_on(domain) as context, spinning(context, Source(context)):
            eventually(lambda: ("camera", "/cam/image is back") in told)
            assert camera.frame_after(time.time_ns(), 50.0)
        assert [kind for kind, _ in told] == ["camera", "camera"]
    finally:
        camera.close()


def test_a_picture_that_cannot_be_read_is_passed_over_and_told():
    options = {"compressed": "png"}
    with watching(options, image="/cam/image/compressed") as (node, camera, told):
        node.broken = True
        with pytest.raises(HardwareError, match="no picture came"):
            camera.frame_after(time.time_ns() + 50_000_000, 0.5)
        node.broken = False
        assert camera.frame_after(time.time_ns() + 50_000_000, 50.0)
        assert {kind for kind, _ in told} == {"garbage"}
        assert "cannot be decoded" in told[0][1]


def test_a_stream_that_stalls_ends_at_the_deadline():
    with watching() as (node, camera, _):
        node.paused = True
        begun = time.monotonic()
        with pytest.raises(HardwareError, match=r"no picture came on /cam/image within 0\.3 s"):
            camera.frame_after(time.time_ns() + 10**8, 0.3)
        assert time.monotonic() - begun < 20.0


def test_a_camera_can_be_closed_and_opened_again():
    with source() as (_, domain):
        camera = make_camera(domain)
        camera.close()
        with pytest.raises(HardwareError, match="open it first"):
            _ = camera.intrinsics
        for _ in range(2):
            with camera:
                camera.open()
                assert camera.frame_after(0, 5.0)
        with pytest.raises(HardwareError, match="open it first"):
            camera.frame_after(0, 1.0)


@pytest.mark.parametrize(
    ("options", "change", "values", "words"),
    [
        ({"k": [0.0] * 9}, {}, {}, r"/cam/camera_info holds no calibration"),
        (
            {"width": 32, "height": 24, "k": [30.0, 0, 15.5, 0, 30.0, 11.5, 0, 0, 1.0]},
            {},
            {},
            "do not fit /cam/camera_info",
        ),
        ({"distortion_model": "fov"}, {}, {}, "unknown distortion model 'fov'"),
        ({}, {"encoding": "yuv422"}, {}, "encoded as 'yuv422', expected one of rgb8"),
        ({}, {}, {"image": "/cam/color"}, r"nobody publishes /cam/color \(topics with images: /cam/image\)"),
        ({}, {}, {"image": "/cam/camera_info"}, "holds sensor_msgs/msg/CameraInfo, expected sensor_msgs/msg/Image"),
        ({}, {}, {"camera_info": "/other/camera_info"}, "nothing came on /other/camera_info"),
        ({}, {}, {"depth": "/cam/range"}, "nobody publishes /cam/range"),
        ({"depth": "16UC1"}, {"depth_behind": 10.0}, {"depth": "/cam/depth"}, "/cam/depth with the stamp of a picture"),
    ],
)
def test_what_keeps_a_camera_from_opening_is_told(monkeypatch, options, change, values, words):
    monkeypatch.setattr("vantage.nodes.rig.ros_camera.OPENING", 1.5)
    with source(**options) as (node, domain):
        for key, value in change.items():
            setattr(node, key, value)
        with pytest.raises(HardwareError, match=words):
            make_camera(domain, **values).open()


def test_two_publishers_of_one_topic_are_refused():
    domain = new_domain()
    with context_on(domain) as context:
        nodes = Source(context), Source(context, name="world_node")
        with spinning(context, *nodes), pytest.raises(HardwareError, match=r"/cam/image is published by .* and "):
            make_camera(domain).open()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, r"camera\.image: is missing"),
        ({"image": "a b"}, r"camera\.image: 'a b' is no topic name"),
        ({"image": "/i", "depht": "/d"}, r"camera\.depht: unknown key; did you mean 'depth'"),
        ({"image": "/i", "rectified": "maybe"}, r"camera\.rectified: expected true or false"),
    ],
)
def test_a_wrong_key_of_the_file_is_told(values, words):
    with pytest.raises(ConfigError, match=words):
        CAMERAS.create("ros", section(**values), rig_parts())


def test_camera_info_is_looked_for_beside_the_image():
    for image, info in (
        ("/cam/color/image_raw", "/cam/color/camera_info"),
        ("/cam/image/compressed", "/cam/camera_info"),
        ("/image_raw", "/camera_info"),
        ("image_raw", "camera_info"),
    ):
        camera = make_ros_camera(section(image=image), rig_parts())
        assert isinstance(camera, RosCamera)
        assert camera.topics.camera_info == info
