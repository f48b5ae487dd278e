"""OpenCV's own Video4Linux code against a device that a preloaded library plays: times, faults, unplugging."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "support" / "video_device.c"

SCRIPT = """
import json, os, sys, time
from pathlib import Path
from vantage.errors import HardwareError
from vantage.worlds.rig.cameras.v4l2 import DeviceOptions
from vantage.worlds.rig.cameras.lens import Lens
from vantage.worlds.rig.cameras.opencv import OpenCvCamera
from vantage.worlds.rig.clock import SystemClock

state = Path(os.environ["VIDEO_DEVICE"])
notes = []

def camera(width=320, height=240, **options):
    made = OpenCvCamera(DeviceOptions("/dev/video7", **options), Lens(width, height, None, 1.2), SystemClock())
    made.notify = lambda kind, sentence: notes.append([kind, sentence])
    return made

def refused(words, **options):
    state.write_text(words)
    begun = time.monotonic()
    try:
        with camera(**options):
            return ["opened", 0.0]
    except HardwareError as error:
        return [str(error), time.monotonic() - begun]

def told():
    told = list(notes)
    notes.clear()
    return told

result = {name: refused(name) for name in ("missing", "denied", "busy", "other", "silent")}
result["size"] = refused("ok", width=1280, height=720)
notes.clear()

for name in ("ok", "system", "timeless"):
    state.write_text(name)
    with camera(latency=0.03, locks={"exposure": 0.02, "gain": 33.0, "focus": 3.0}) as it:
        asked = time.time_ns()
        frames = [it.frame_after(asked, 2.0)]
        age = time.time_ns() - frames[0].stamp
        while len(frames) < 8:
            frames.append(it.frame_after(frames[-1].stamp, 2.0))
        time.sleep(0.3)  # nobody waits meanwhile, yet nothing queues up
        asked_late = time.time_ns()
        late = it.frame_after(asked_late, 2.0)
        result[name] = {
            "age": age / 1e9,
            "after": (frames[0].stamp - asked) / 1e9,
            "gaps": [(b.stamp - a.stamp) / 1e9 for a, b in zip(frames, frames[1:])],
            "late": (late.stamp - asked_late) / 1e9,
            "shape": list(late.rgb.shape),
            "differ": bool((late.rgb != frames[0].rgb).any()),
            "size": [it.intrinsics.width, it.intrinsics.height],
            "notes": told(),
        }

state.write_text("ok")
it = camera(locks={"exposure": 0.05})
it.open()
result["exposure"] = told()
state.write_text("unplugged")
deadline = time.monotonic() + 5
while not notes and time.monotonic() < deadline:
    time.sleep(0.01)
begun = time.monotonic()
try:
    it.frame_after(time.time_ns(), 3.0)
    result["gone"] = ["nothing", 0.0]
except HardwareError as error:
    result["gone"] = [str(error), time.monotonic() - begun]
result["gone_notes"] = told()
time.sleep(1.2)  # several trials to open it
result["quiet"] = told()
state.write_text("ok")
while not [note for note in notes if "is back" in note[1]] and time.monotonic() < deadline + 5:
    time.sleep(0.01)
result["back"] = told()
asked = time.time_ns()
result["again"] = it.frame_after(asked, 2.0).stamp > asked
begun = time.monotonic()
it.close()
it.close()
result["closing"] = time.monotonic() - begun
print("RESULT" + json.dumps(result))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What happened in a process with that device."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and Linux")
    folder = tmp_path_factory.mktemp("device")
    library = folder / "video_device.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True, timeout=60)
    environment = {**os.environ, "LD_PRELOAD": str(library), "VIDEO_DEVICE": str(folder / "state")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=90, check=False
    )
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT")), "")
    assert line, done.stderr
    return json.loads(line.removeprefix("RESULT"))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("missing", "there is no camera at /dev/video7; plug it in"),
        ("denied", "no permission to use /dev/video7; add yourself to its group"),
        ("busy", "/dev/video7"),
        ("other", "/dev/video7 sends no pictures, only other data"),
        ("silent", "the camera /dev/video7 sends no pictures; check its cable"),
        ("size", "sends 640 x 480 pixels instead of 1280 x 720; set camera.width and camera.height"),
    ],
)
def test_a_camera_that_cannot_be_opened_says_why(told: dict, state: str, words: str) -> None:
    sentence, seconds = told[state]
    assert words in sentence
    assert sentence.count("; ") >= 1, "it says what to do"
    assert seconds < 5.5


def test_a_busy_camera_is_refused_with_advice(told: dict) -> None:
    assert "end other programs that use it" in told["busy"][0]


@pytest.mark.parametrize("clock", ["ok", "system"])
def test_stamps_are_the_times_of_the_driver(told: dict, clock: str) -> None:
    seen = told[clock]
    assert 0 < seen["after"] < 1.0
    assert 0 <= seen["age"] < 0.5
    assert all(gap > 0 for gap in seen["gaps"])
    assert seen["shape"] == [240, 320, 3]
    assert seen["size"] == [320, 240]
    assert seen["differ"]
    assert not [sentence for _, sentence in seen["notes"] if "time" in sentence]


def test_a_driver_without_times_gets_those_of_arrival_less_the_latency(told: dict) -> None:
    seen = told["timeless"]
    assert 0.03 <= seen["age"] < 0.5
    words = [sentence for kind, sentence in seen["notes"] if kind == "camera" and "no usable time" in sentence]
    assert len(words) == 1
    assert "camera.latency" in words[0]


@pytest.mark.parametrize("clock", ["ok", "system", "timeless"])
def test_no_old_picture_waits_in_a_queue(told: dict, clock: str) -> None:
    assert 0 < told[clock]["late"] < 1.0


def test_settings_that_the_camera_does_not_take_are_told(told: dict) -> None:
    assert ["camera", "the camera /dev/video7 does not take focus: 3 and goes on as it likes"] in told["ok"]["notes"]
    assert not [sentence for _, sentence in told["ok"]["notes"] if "gain" in sentence or "exposure" in sentence]
    assert told["exposure"] == [["camera", "the camera /dev/video7 does not take exposure: 0.05 and stays with 0.03"]]


def test_an_unplugged_camera_is_told_once_and_fails_every_wait_until_it_is_back(told: dict) -> None:
    sentence, seconds = told["gone"]
    assert "the camera /dev/video7 went away" in sentence
    assert seconds < 0.5
    assert told["gone_notes"] == [["camera", "the camera /dev/video7 went away; check its cable"]]
    assert told["quiet"] == []
    assert told["back"][-1] == ["camera", "the camera /dev/video7 is back"]
    assert told["again"]
    assert told["closing"] < 3.5
