"""Where gold views have their targets: how far off the axis, cut off by the border, and whether centring them helps."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vantage.benchmarks.labelling import MOST_OFF_AXIS, centred, cut_off, off_axis
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_truths
from vantage.benchmarks.sets.scene_checks import JudgedScene
from vantage.config import Settings
from vantage.files import EPISODE_SET
from vantage.spatial import Intrinsics
from vantage.splats import GRAPH_FILE

_SLACK = 1e-6  # rad


@dataclass(frozen=True)
class GoldView:
    """The goal viewpoint of an episode.

    Attributes:
        off_axis: largest angle between the optical axis and the middle of a target, rad.
        cut_off: largest share of a target outside of the image, 0..1.
        answers_centred: whether a look from the same spot with the targets in the middle answers, too.
    """

    episode_id: str
    off_axis: float
    cut_off: float
    answers_centred: bool


def gold_views(episode_set: EpisodeSet) -> Iterator[GoldView]:
    """Of the episodes that have one, in scenes whose graph lies in the set.

    Raises:
        FormatError: the thresholds of the set are none, or a scene cannot be read.
    """
    camera = Settings().with_values(dict(episode_set.info.settings), str(episode_set.folder / EPISODE_SET)).camera
    lens = Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    for name in episode_set.info.scenes:
        if not (episode_set.scene_folder(name) / GRAPH_FILE).is_file():
            continue
        judge = JudgedScene.load(episode_set, name).judge
        for episode in episode_set.episodes:
            goal, questions = truths[episode.episode_id].goal, truths[episode.episode_id].questions
            if episode.scene != name or goal is None:
                continue
            for question in questions:
                if question.target_instances:
                    straight = centred(judge, question, goal)
                    yield GoldView(
                        episode.episode_id,
                        off_axis(judge, question, goal),
                        cut_off(judge, question, goal, lens),
                        judge.answers(question, straight, lens),
                    )


def gold_view_numbers(episode_sets: Sequence[EpisodeSet]) -> dict[str, Any]:
    """Of all sets together: angles in rad, and how many gold views cut a target off, or answer no more when centred.

    Empty where no episode has a gold view.
    """
    views = [view for one in episode_sets for view in gold_views(one)]
    if not views:
        return {}
    return {
        "gold_views": len(views),
        "off_axis": {
            "median": statistics.median(view.off_axis for view in views),
            "over_30_degrees": sum(view.off_axis > MOST_OFF_AXIS + _SLACK for view in views) / len(views),
        },
        "cut_off": sum(view.cut_off > 0.0 for view in views),
        "fails_when_centered": sum(not view.answers_centred for view in views),
    }


def gold_view_line(numbers: dict[str, Any]) -> str:
    """The same for people; empty without any."""
    if not numbers:
        return ""
    median, over = math.degrees(numbers["off_axis"]["median"]), numbers["off_axis"]["over_30_degrees"]
    cut, lost = numbers["cut_off"], numbers["fails_when_centered"]
    return (
        f"targets of {numbers['gold_views']} gold views: {median:.0f} degrees off the axis in the middle, {over:.1%} "
        f"over {math.degrees(MOST_OFF_AXIS):.0f}; {cut} are cut off, {lost} no longer shown when centred"
    )
