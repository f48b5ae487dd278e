"""One self-contained HTML page about a folder of bags; nothing in it is fetched from anywhere."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.judging.judges import Judge
from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.errors import RecordingError
from vantage.files import write_whole
from vantage.recording.recordings import Recording, read_recording
from vantage.reports.report_page import Card, page
from vantage.reports.report_plan import Box, Plan, Seen, draw_scene, room_of
from vantage.reports.report_sights import Sights, read_sights, together
from vantage.reports.score_table import ScoreTable
from vantage.reports.scoring import runs_of, score_runs
from vantage.runs.progress import Tell, paced, quiet
from vantage.spatial import Viewpoint
from vantage.types import Status

_BUDGET = 6_000_000  # bytes of pictures
_MOST_CARDS = 200
_WIDTHS = ((60, 360), (150, 240), (10**9, 160))  # px, by the largest number of episodes


def write_report(
    folders: str | Path | Sequence[str | Path], out: str | Path, judge: Judge | None = None, tell: Tell = quiet
) -> Path:
    """Write the page about all bags of one or several folders, less than 10 MB; returns its path. ``tell`` hears how
    far it is, and which bags are left out.

    Of many episodes only those with the lowest scores are shown one by one; figures are over all of them. Bags that
    cannot be read are named on the page, and stop nothing.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
    """
    given = [folders] if isinstance(folders, (str, Path)) else list(folders)
    runs = list(dict.fromkeys(run for folder in given for run in runs_of(folder)))
    scored = [(run, score) for run in runs for score in score_runs(run, judge, tell).scores]
    table = ScoreTable(tuple(score for _, score in scored))
    chosen = _shown([(run, score) for run, score in scored if score.complete])
    found: list[tuple[EpisodeScore, Recording, Sights]] = []
    unreadable: dict[str, str] = {}
    for run, score in paced(chosen, "read", tell):
        try:
            recording = read_recording(run if _is_bag(run) else run / score.bag)
            found.append((score, recording, read_sights(recording)))
        except RecordingError as error:
            unreadable[score.bag] = str(error)
    scenes = _scenes([recording for _, recording, _ in found], [seen for _, _, seen in found])
    width = next(width for most, width in _WIDTHS if len(found) <= most)
    cards, spent = [], 0
    for score, recording, seen in found:
        frames = {caption: _data_url(picture, width) for caption, picture in seen.frames.items()}
        size = sum(len(url) for url in frames.values())
        if spent + size > _BUDGET:
            frames = {}
        spent += sum(len(url) for url in frames.values())
        cards.append(_card(recording, score, seen, scenes, frames))
    drawings = [draw_scene(scene.name, scene.things, scene.room) for scene in scenes.values()]
    name = ", ".join(Path(folder).resolve().name for folder in given)
    write_whole(out, page(name, table, cards, drawings, unreadable).encode("utf-8", "replace"))
    for score in table.incomplete:
        tell(f"not scored: {score.bag or score.episode_id}: {score.incomplete_reason}")
    for bag, reason in unreadable.items():
        tell(f"not shown: {bag}: {reason}")
    return Path(out)


def _shown(scored: list[tuple[Path, EpisodeScore]]) -> list[tuple[Path, EpisodeScore]]:
    """Those that get a card: all, or of too many the ones with the lowest scores, in the order of the table."""
    ranked = sorted(range(len(scored)), key=lambda k: (scored[k][1].judge_score, k))[:_MOST_CARDS]
    return [scored[k] for k in sorted(ranked)]


def _is_bag(folder: Path) -> bool:
    return (folder / "metadata.yaml").is_file()


@dataclass(frozen=True)
class _Scene:
    """A scene as all its episodes saw it: id of its drawing, things and extent."""

    name: str
    things: Sequence[Seen]
    room: Box


def _card(
    recording: Recording, score: EpisodeScore, seen: Sights, scenes: Mapping[str, _Scene], frames: Mapping[str, str]
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
    scene = scenes[episode.scene]
    plan = Plan(episode.start, way, collided, truth.goal, seen.things, scene.name, seen.fov)
    return Card(score, episode, truth, tuple(recording.answers), plan, scene.room, frames, seen.known)


def _scenes(recordings: Sequence[Recording], sights: Sequence[Sights]) -> dict[str, _Scene]:
    """Each scene from all episodes in it."""
    things: dict[str, list[Sequence[Seen]]] = {}
    points: dict[str, list[Viewpoint]] = {}
    for recording, seen in zip(recordings, sights, strict=True):
        if recording.episode is not None:
            scene = recording.episode.scene
            things.setdefault(scene, []).append(seen.things)
            way = [recording.episode.start, *(motion.reached for motion in recording.motions)]
            points.setdefault(scene, []).extend(way)
    found = {}
    for number, (scene, seen_there) in enumerate(things.items()):
        everything = together(seen_there)
        found[scene] = _Scene(f"scene-{number}", everything, room_of(everything, points[scene]))
    return found


def _data_url(rgb: NDArray[np.uint8], width: int) -> str:
    height = max(1, round(rgb.shape[0] * width / rgb.shape[1]))
    small = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA) if rgb.shape[1] > width else rgb
    done, data = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 82])
    if not done:
        raise RecordingError(f"a picture of shape {rgb.shape} cannot be encoded")
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode()
