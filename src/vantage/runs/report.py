"""One self-contained HTML page about a folder of bags; nothing in it is fetched from anywhere."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.metrics import EpisodeScore
from vantage.benchmarks.rule_judge import RuleJudge
from vantage.errors import RecordingError
from vantage.files import write_whole
from vantage.runs.bags import decode_pixels, read_bag
from vantage.runs.reading import read_point
from vantage.runs.recording import Recording, read_recording
from vantage.runs.report_page import Card, page
from vantage.runs.report_plan import Box, Plan, Seen, merged, room_of
from vantage.runs.scoring import Judge, score_recording, score_runs
from vantage.runs.topics import DETECTIONS, IMAGE_COMPRESSED, TRUTH_GOAL_IMAGE
from vantage.types import Status

_BUDGET = 8_000_000  # bytes of pictures
_WIDTHS = ((60, 360), (150, 240), (10**9, 160))  # px, by the largest number of episodes


ThingKey = tuple[str, int]  # label and identity


@dataclass(frozen=True)
class Sights:
    """The pictures of a bag, RGB (H, W, 3) uint8, and what was made out in it."""

    first: NDArray[np.uint8] | None
    last: NDArray[np.uint8] | None
    goal: NDArray[np.uint8] | None
    things: dict[ThingKey, Seen]


def write_report(folder: str | Path, out: str | Path, judge: Judge | None = None) -> Path:
    """Write the page about all bags of a folder, less than 10 MB; returns its path.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
    """
    judge = judge or RuleJudge()
    table = score_runs(folder, judge)
    root = Path(folder)
    bags = [root if (root / "metadata.yaml").is_file() else root / score.bag for score in table.complete]
    recordings = [read_recording(path) for path in bags]
    sights = [_sights(path) for path in bags]
    rooms, context = _rooms(recordings, sights), _context(recordings, sights)
    width = next(width for most, width in _WIDTHS if len(bags) <= most)
    cards, spent = [], 0
    for recording, seen in zip(recordings, sights, strict=True):
        frames = {
            caption: _data_url(picture, width)
            for caption, picture in (("First frame", seen.first), ("Last frame", seen.last), ("Goal", seen.goal))
            if picture is not None
        }
        size = sum(len(url) for url in frames.values())
        if spent + size > _BUDGET:
            frames = {}
        spent += sum(len(url) for url in frames.values())
        cards.append(_card(recording, score_recording(recording, judge), seen, rooms, context, frames))
    write_whole(out, page(root.resolve().name, table, cards).encode("utf-8", "replace"))
    return Path(out)


def _card(
    recording: Recording,
    score: EpisodeScore,
    seen: Sights,
    rooms: Mapping[str, Box],
    context: Mapping[str, Sequence[Seen]],
    frames: Mapping[str, str],
) -> Card:
    episode, truth = recording.episode, recording.truth
    if episode is None or truth is None:
        raise RecordingError(f"{recording.path} lost its episode while it was read")
    before = episode.start
    collided = []
    for motion in recording.motions:
        if motion.status == Status.COLLIDED:
            collided.append((before, motion.action))
        before = motion.reached
    way = [motion.reached for motion in recording.motions]
    plan = Plan(episode.start, way, collided, truth.goal, tuple(seen.things.values()), context[episode.scene])
    return Card(score, episode, truth, tuple(recording.answers), plan, rooms[episode.scene], frames)


def _rooms(recordings: Sequence[Recording], sights: Sequence[Sights]) -> dict[str, Box]:
    """The extent of each scene, from all episodes in it."""
    rooms: dict[str, Box] = {}
    for recording, seen in zip(recordings, sights, strict=True):
        if recording.episode is not None:
            points = [recording.episode.start, *(motion.reached for motion in recording.motions)]
            scene = recording.episode.scene
            rooms[scene] = merged(rooms.get(scene), room_of(seen.things.values(), points))
    return rooms


def _context(recordings: Sequence[Recording], sights: Sequence[Sights]) -> dict[str, tuple[Seen, ...]]:
    """What was made out in each scene in any episode."""
    scenes: dict[str, dict[ThingKey, Seen]] = {}
    for recording, seen in zip(recordings, sights, strict=True):
        if recording.episode is not None:
            things = scenes.setdefault(recording.episode.scene, {})
            for key, thing in seen.things.items():
                known = things.get(key, thing)
                box = merged(known.box, thing.box)
                things[key] = Seen(thing.label, box, min(known.bottom, thing.bottom))
    return {scene: tuple(things.values()) for scene, things in scenes.items()}


def _sights(path: Path) -> Sights:
    """Pictures that cannot be decoded are left out; the figures do not depend on them."""
    first = last = goal = None
    things: dict[ThingKey, Seen] = {}
    for topic, _, message in read_bag(path, (IMAGE_COMPRESSED, TRUTH_GOAL_IMAGE, DETECTIONS)):
        if topic is IMAGE_COMPRESSED:
            first, last = first or message, message
        elif topic is TRUTH_GOAL_IMAGE:
            goal = message
        else:
            for item in message.detections:
                _remember(
                    things, item.label, item.instance_id, read_point(item.bounds_min), read_point(item.bounds_max)
                )
    return Sights(_picture(first), _picture(last), _picture(goal), things)


def _remember(
    things: dict[ThingKey, Seen],
    label: str,
    instance_id: int,
    low: tuple[float, float, float],
    high: tuple[float, float, float],
) -> None:
    """Add a detection; those without identity are kept apart by their number."""
    if not np.isfinite((*low, *high)).all():
        return
    key = (label, instance_id if instance_id > 0 else -1 - len(things))
    box = (low[0], low[1], high[0], high[1])
    known = things.get(key)
    if known is None:
        things[key] = Seen(label, box, low[2])
    else:
        known.box, known.bottom = merged(known.box, box), min(known.bottom, low[2])


def _picture(message: object) -> NDArray[np.uint8] | None:
    if message is None:
        return None
    try:
        return decode_pixels(message)
    except RecordingError:
        return None


def _data_url(rgb: NDArray[np.uint8], width: int) -> str:
    height = max(1, round(rgb.shape[0] * width / rgb.shape[1]))
    small = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA) if rgb.shape[1] > width else rgb
    done, data = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 82])
    if not done:
        raise RecordingError(f"a picture of shape {rgb.shape} cannot be encoded")
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode()
