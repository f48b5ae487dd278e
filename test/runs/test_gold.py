"""What frames really show of an episode's targets, and which questions they answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set, load_truths
from vantage.errors import EpisodeError, FormatError
from vantage.recording.from_messages import (
    read_answering,
    read_poses,
    read_shortfalls,
    read_view_rule,
    read_visibility,
)
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.to_messages import Codec
from vantage.recording.topics import TRUTH, TRUTH_POSES, TRUTH_VISIBILITY
from vantage.runs.gold import GoldData, GoldPublisher
from vantage.spatial import Intrinsics
from vantage.splats.scene_file import load_graph
from vantage.types import VIEW_RULE, Observation

LENS = Intrinsics.from_fov(SMALL.camera.width, SMALL.camera.height, SMALL.camera.horizontal_fov)


@pytest.fixture(scope="module")
def search_set(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    return load_set(small_search_set(tmp_path_factory, FEW))


def test_goals_answer_by_the_thresholds_of_the_set_and_views_away_from_them_do_not(search_set: EpisodeSet) -> None:
    gold = GoldData(search_set.folder)
    for episode in search_set.episodes:
        goal = gold.truth(episode.episode_id).goal
        assert goal is not None
        assert gold.shown(episode.episode_id, goal, LENS, None).answers == (True,)
        away = gold.shown(episode.episode_id, replace(goal, yaw=goal.yaw + np.pi, pitch=0.0), LENS, None)
        assert away.answers == (False,)
        assert away.fractions.keys() == gold.shown(episode.episode_id, goal, LENS, None).fractions.keys()


def test_frames_answer_where_the_labels_say_so(search_set: EpisodeSet) -> None:
    gold, truths = GoldData(search_set.folder), load_truths(search_set.folder, search_set.episodes)
    judged = []
    for episode in search_set.episodes:
        truth, folder = truths[episode.episode_id], search_set.scene_folder(episode.scene)
        settings = VisibilitySettings.of(search_set.info.thresholds, "the set")
        judge = SceneVisibility.of_scene(folder, load_graph(folder), settings)
        assert truth.goal is not None
        for turn in np.linspace(-1.2, 1.2, 9):
            view = replace(truth.goal, yaw=truth.goal.yaw + float(turn))
            shown = gold.shown(episode.episode_id, view, LENS, None)
            assert shown.answers == (judge.answers(truth.questions[0], view, LENS),)
            judged += shown.answers
    assert {True, False} == set(judged)


def test_lines_of_sight_of_the_last_scenes_alone_are_remembered(
    search_set: EpisodeSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = GoldData(search_set.folder)
    episode = search_set.episodes[0]
    goal = gold.truth(episode.episode_id).goal
    assert goal is not None
    monkeypatch.setattr(EpisodeSet, "scene_folder", lambda made, scene: made.folder / "scenes" / episode.scene)
    shown = []
    for scene in ("one", "two", "three", "one"):
        gold._scenes[episode.episode_id] = scene
        shown.append(gold.shown(episode.episode_id, goal, LENS, None))
        assert len(gold._visibility) <= 2
    assert shown == [shown[0]] * 4


def test_what_is_published_of_a_frame_is_what_it_shows(search_set: EpisodeSet) -> None:
    gold, codec = GoldData(search_set.folder), Codec(RosbagsFactory())
    episode = search_set.episodes[0]
    told = []
    listener = GoldPublisher(codec, lambda topic, stamp, message: told.append((topic, stamp, message)), gold)
    goal = gold.truth(episode.episode_id).goal
    assert goal is not None
    listener.started(episode, _Agent(), 1)
    listener.observed(Observation(7, goal, LENS, np.zeros((LENS.height, LENS.width, 3), np.uint8)))
    topic, stamp, message = told[-1]
    shown = gold.shown(episode.episode_id, goal, LENS, None)
    assert (topic, stamp) == (TRUTH_VISIBILITY, 7)
    assert (read_visibility(message), read_answering(message)) == (shown.fractions, shown.answers)
    assert (read_shortfalls(message), read_view_rule(message)) == (shown.shortfalls, VIEW_RULE)
    assert read_view_rule(next(message for topic, _, message in told if topic is TRUTH)) == search_set.info.view_rule


class _Movable:
    """A world in which one thing can be moved."""

    def __init__(self, target: int) -> None:
        self.target, self.at = target, np.array([0.0, 0.0, 0.0])

    def poses(self) -> dict[int, np.ndarray]:
        pose = np.eye(4)
        pose[:3, 3] = self.at
        return {self.target: pose}

    def joint_positions(self) -> dict[tuple[int, str], float]:
        return {}


def test_what_was_moved_is_told_once_and_judged_where_it_is(search_set: EpisodeSet) -> None:
    gold, codec, told = GoldData(search_set.folder), Codec(RosbagsFactory()), []
    episode = next(each for each in search_set.episodes if gold.truth(each.episode_id).questions[0].target_instances)
    truth = gold.truth(episode.episode_id)
    goal, target = truth.goal, truth.questions[0].target_instances[0]
    assert goal is not None
    world = _Movable(target)
    still = _Movable(target)
    for moving in (still, world):
        told.clear()
        publish = lambda topic, stamp, message: told.append((topic, stamp, message))  # noqa: E731
        listener = GoldPublisher(codec, publish, gold, moving)  # type: ignore[arg-type]
        listener.started(episode, _Agent(), 1)
        frame = Observation(7, goal, LENS, np.zeros((LENS.height, LENS.width, 3), np.uint8))
        listener.observed(frame)
        if moving is world:
            world.at = np.array([goal.x, goal.y, -50.0])
        listener.observed(replace(frame, stamp=8))
        listener.observed(replace(frame, stamp=9))
        shown = [read_visibility(message) for topic, _, message in told if topic is TRUTH_VISIBILITY]
        poses = [(stamp, read_poses(message)) for topic, stamp, message in told if topic is TRUTH_POSES]
        assert shown[0] == gold.shown(episode.episode_id, goal, LENS, None).fractions
        if moving is still:
            assert poses == []
            assert shown[1:] == shown[:1] * 2
        else:
            assert [(stamp, list(found.things)) for stamp, found in poses] == [(8, [target])]
            assert shown[1] == shown[2]
            assert shown[1][target] == 0.0 < shown[0][target]


def test_thresholds_that_are_none_and_unknown_episodes_are_refused(search_set: EpisodeSet, tmp_path: Path) -> None:
    with pytest.raises(EpisodeError, match="has no episode 'nobody'"):
        GoldData(search_set.folder).shown("nobody", search_set.episodes[0].start, LENS, None)
    for name in ("set.json", "episodes.jsonl", "truth.jsonl"):
        (tmp_path / name).write_bytes((search_set.folder / name).read_bytes())
    said = json.loads((tmp_path / "set.json").read_text())
    said["thresholds"]["pixles"] = said["thresholds"].pop("pixels")
    said["content_hash"] = ""
    (tmp_path / "set.json").write_text(json.dumps(said))
    with pytest.raises(FormatError, match=r"set\.json"):
        GoldData(tmp_path)


class _Agent:
    name, perception = "still", ""
