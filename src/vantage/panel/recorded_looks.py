"""The last looks of recorded episodes as frames of a panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from vantage.benchmarks.sets import load_truths
from vantage.errors import VantageError
from vantage.panel.frames import LAST_LOOK, Frame
from vantage.panel.panel_scenes import PanelScene, PanelScenes
from vantage.recording import Recording, find_bags, read_recording
from vantage.scenes.spec import COLORS, MATERIALS
from vantage.types import NoiseType, TruthQuestion

_REPLIES = 4


def last_looks(
    folders: Iterable[str | Path], scenes: PanelScenes, seed: int, progress: Callable[[str], None] = lambda _: None
) -> list[Frame]:
    """One frame for each question of the last phase of each bag: where the camera was at the end, drawn anew.

    Left out is what has no place in a panel: questions with a false premise or of tasks, several answers, episodes in
    which things moved, and scenes that the set lacks.

    Raises:
        RecordingError: a folder holds no bags.
    """
    answers = _answers_of(scenes)
    found: dict[str, Frame] = {}
    for folder in folders:
        bags, _ = find_bags(folder)
        taken = 0
        for bag in bags:
            try:
                recording = read_recording(bag)
            except VantageError as error:
                progress(f"left out: {error}")
                continue
            for frame in _frames_of(recording, scenes, answers, seed):
                found[frame.name] = frame
                taken += 1
        progress(f"{folder}: {taken} last looks of {len(bags)} bags")
    return list(found.values())


def _frames_of(recording: Recording, scenes: PanelScenes, answers: dict[str, list[str]], seed: int) -> Iterator[Frame]:
    episode, truth, ways = recording.episode, recording.truth, recording.ways()
    scene = None if episode is None else scenes.named(episode.scene)
    if episode is None or truth is None or scene is None or len(recording.phases) > 1 or recording.shortfall():
        return
    for gold in truth.questions:
        asked = recording.asked_as(gold)
        if asked is None or not _is_plain(gold):
            continue
        replies = _replies(gold, [*answers.get(gold.kind, ()), *_vocabulary(gold.kind, scene)], scene, seed)
        if len(replies) < 2:
            continue
        yield Frame(
            LAST_LOOK,
            scene.key,
            scene.spec.seed,
            ways[-1][-1],
            scene.world.intrinsics,
            asked.text,
            replies,
            gold.answer,
            False,
            gold.target_instances,
            gold.kind,
            gold.program,
        )


def _is_plain(gold: TruthQuestion) -> bool:
    """Whether one look may answer it with one reply."""
    told = gold.premise_holds and gold.noise_type == NoiseType.NONE and gold.task is None
    return bool(told and gold.target_instances and gold.answer and not gold.to_open and not gold.to_weigh)


def _answers_of(scenes: PanelScenes) -> dict[str, list[str]]:
    """The reference answers of the set by kind of question, sorted."""
    found: dict[str, set[str]] = {}
    for episode_set in scenes.sets:
        for truth in load_truths(episode_set.folder, episode_set.episodes).values():
            for gold in truth.questions:
                if _is_plain(gold):
                    found.setdefault(gold.kind, set()).add(gold.answer)
    return {kind: sorted(values) for kind, values in found.items()}


def _vocabulary(kind: str, scene: PanelScene) -> Sequence[str]:
    """Words that answer questions of a kind, besides those that the set happens to hold."""
    if kind == "color":
        return tuple(COLORS)
    if kind == "material":
        return tuple(MATERIALS)
    return sorted({room.label for room in scene.spec.rooms}) if kind == "room" else ()


def _replies(gold: TruthQuestion, known: Sequence[str], scene: PanelScene, seed: int) -> tuple[str, ...]:
    if gold.answer in ("yes", "no"):
        return ("yes", "no")
    rng = np.random.default_rng([seed, scene.spec.seed, *gold.answer.encode()])
    if gold.answer.isdecimal():
        first = max(0, int(gold.answer) - int(rng.integers(0, _REPLIES)))
        return tuple(str(first + k) for k in range(_REPLIES))
    wrong = [answer for answer in dict.fromkeys(known) if answer not in (gold.answer, *gold.accepted)]
    replies = [gold.answer, *(wrong[k] for k in rng.permutation(len(wrong))[: _REPLIES - 1])]
    return tuple(replies[k] for k in rng.permutation(len(replies)))
