"""Pictures of homes as items have them: painted anew without what an item leaves out, and kept beside the home.

To take away the Gaussians of a thing would leave holes where it stood or hung, so that every removal could be seen.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.heal.base_tasks import HOMES
from vantage.benchmarks.heal.home_facts import VOCABULARY
from vantage.benchmarks.heal.home_kinds import vocabulary
from vantage.benchmarks.heal.probing_items import is_pictured, task_of
from vantage.benchmarks.heal.sights import CAMERA
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import EpisodeError, FormatError
from vantage.files import check_stored, opened, replacing, untrusted_owner
from vantage.goals import TaskTruth, read_task, vocabulary_lines
from vantage.models import prompt
from vantage.pictures import decode_picture
from vantage.planning import BOTH, ShownTask
from vantage.scenes.spec import SceneSpec
from vantage.spatial import Viewpoint
from vantage.splats import load_home, load_scene
from vantage.splats.rendering import make_renderer
from vantage.splats.synthesis import cloud_from_spec
from vantage.types import Question, Truth, TruthQuestion

Picture = NDArray[np.uint8]
Coded = NDArray[np.uint8]  # of a file, (N,)

FOLDER = ".vantage-cache"  # beside a home; hidden, so that it is no part of the set
VERSION = 1  # of everything that pictures depend on besides the home: raise it when they change
_KEPT = 8  # homes whose pictures stay in memory
_QUALITY = 95
_DAMAGED = (OSError, EOFError, ValueError, LookupError, RuntimeError, FormatError, zipfile.BadZipFile)


class HomePictures:
    """``TaskPictures`` of a set with tasks in generated homes.

    Args:
        shown: ``image`` or ``both``.

    Raises:
        FormatError: gold data are damaged.
    """

    def __init__(self, episode_set: EpisodeSet, truths: Mapping[str, Truth], shown: str) -> None:
        self._set, self._shown = episode_set, shown
        self._items: dict[str, dict[str, tuple[Question, TruthQuestion, TaskTruth]]] = {}
        for episode in episode_set.episodes:
            golds = truths[episode.episode_id].questions
            self._items[episode.episode_id] = {
                question.question_id: (question, gold, task_of(gold, f"episode '{episode.episode_id}'"))
                for question, gold in zip(episode.questions, golds, strict=True)
            }
        self._kept: OrderedDict[tuple[str, tuple[int, ...]], tuple[Picture, ...]] = OrderedDict()

    def shows(self, episode_id: str) -> bool:
        """Whether pictures show all things and rooms that any item of a task names and has."""
        items = self._items.get(episode_id, {})
        return bool(items) and all(gold.category == HOMES and is_pictured(item) for _, gold, item in items.values())

    def shown(self, episode_id: str, question_id: str) -> ShownTask:
        """
        Raises:
            EpisodeError: the set has no such item, or pictures do not show what its task names.
            ConfigError, FormatError, SceneError: the home cannot be read or painted.
        """
        found = self._items.get(episode_id, {}).get(question_id)
        if found is None:
            raise EpisodeError(f"{self._set.folder} has no item '{question_id}' of an episode '{episode_id}'")
        if not self.shows(episode_id):
            raise EpisodeError(
                f"pictures do not show all that episode '{episode_id}' of {self._set.folder} names; take --input text"
            )
        question, gold, item = found
        pictures = self._pictures(item)
        names = tuple(f"VIEW_{number}" for number in range(1, len(pictures) + 1))
        return ShownTask(sent_text(question.text, gold.kind, self._shown), pictures, names)

    def _pictures(self, item: TaskTruth) -> tuple[Picture, ...]:
        key = item.home, item.left_out
        if key not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.popitem(last=False)
            self._kept[key] = home_pictures(self._set.scene_folder(item.home), item.left_out, item.views)
        self._kept.move_to_end(key)
        return self._kept[key]


def sent_text(told: str, transformation: str, shown: str) -> str:
    """What is sent with pictures.

    Args:
        told: the prompt that tells the home in words.
    """
    if shown == BOTH:
        return prompt("pictures_beside").fill(prompt=told)
    task = read_task(told)
    return prompt("goals_in_pictures").fill(
        names=vocabulary_lines(vocabulary(transformation)),
        states=", ".join(VOCABULARY.states),
        relations=", ".join(VOCABULARY.relations),
        name=task.name,
        text=task.text,
    )


def home_pictures(folder: Path, gone: Collection[int], views: Sequence[Viewpoint]) -> tuple[Picture, ...]:
    """What views show of a home without some things, read-only (H, W, 3); from the cache where it holds them.

    Raises:
        ConfigError, FormatError, SceneError: no home lies in the folder, or it cannot be painted without these things.
    """
    home = load_home(folder)
    text = repr((VERSION, home.spec, sorted(gone), tuple(views), CAMERA))
    path = folder / FOLDER / f"pictures-{hashlib.sha256(text.encode()).hexdigest()[:32]}.npz"
    pictures = _decoded(_read(path), len(views))
    if pictures is None:
        coded = _painted(folder, home.spec, gone, views)
        _keep(path, coded)
        pictures = _decoded(coded, len(views))
    assert pictures is not None  # of what was painted just now
    return pictures


def without_things(spec: SceneSpec, gone: Collection[int]) -> SceneSpec:
    """The home without some things and all that they carry, which must be among them."""
    return replace(spec, objects=tuple(obj for obj in spec.objects if obj.instance_id not in gone))


def _painted(folder: Path, spec: SceneSpec, gone: Collection[int], views: Sequence[Viewpoint]) -> list[Coded]:
    """JPEG, as which pictures are kept: models are shown the same whether they were kept or not."""
    cloud = cloud_from_spec(without_things(spec, gone)) if gone else load_scene(folder).cloud
    renderer = make_renderer("cpu", 1)
    try:
        shown = [renderer.render(cloud, view.T_world_camera_optical(), CAMERA).rgb for view in views]
    finally:
        renderer.close()
    options = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    return [cv2.imencode(".jpg", cv2.cvtColor(each, cv2.COLOR_RGB2BGR), options)[1].ravel() for each in shown]


def _decoded(coded: Sequence[Coded] | None, count: int) -> tuple[Picture, ...] | None:
    """Read-only pictures; None where they are not as many, or one is damaged."""
    found = []
    for each in coded or ():
        picture = decode_picture(each) if each.dtype == np.uint8 and each.ndim == 1 else None
        if picture is None or picture.shape != (CAMERA.height, CAMERA.width, 3):
            return None
        found.append(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8))
        found[-1].setflags(write=False)
    return tuple(found) if len(found) == count else None


def _read(path: Path) -> list[Coded] | None:
    """The pictures at a path; None where there are none, or they are not this user's own."""
    try:
        if untrusted_owner(path.parent) or untrusted_owner(path):
            return None
        with opened(path) as file:
            check_stored(file)
        with np.load(path, allow_pickle=False) as arrays:
            return [arrays[f"arr_{number}"] for number in range(len(arrays.files))]
    except _DAMAGED:
        return None


def _keep(path: Path, coded: Sequence[Coded]) -> None:
    """Where the folder does not take them, they are painted again next time."""
    try:
        path.parent.mkdir(exist_ok=True)
        if not untrusted_owner(path.parent):
            with replacing(path) as partial:
                np.savez(partial, *coded)
    except OSError:
        return
