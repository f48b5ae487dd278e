"""An episode set on disk: public episodes, gold data in a file of its own, goal images, scenes and a description.

::

    set.json                what the set is: benchmark, schema, action space, seeds, thresholds, scenes, content hash
    episodes.jsonl          one public episode a line: all that an agent may know
    truth.jsonl             one line of gold data for each episode; only the evaluator reads it
    goals/<episode_id>.png  what the labelled goal viewpoint shows; only the evaluator reads it
    scenes/<name>/          one folder for each scene
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from vantage.benchmarks.episode_json import SAFE_NAME, episode_of, to_line, truth_of
from vantage.errors import FormatError
from vantage.files import read_json, unreadable, write_whole
from vantage.planning.actions import ActionSpace
from vantage.types import Episode, Point, Truth

SCHEMA_VERSION = 1
SET, EPISODES, TRUTH, GOALS, SCENES = "set.json", "episodes.jsonl", "truth.jsonl", "goals", "scenes"


@dataclass(frozen=True)
class SceneBounds:
    """Where the camera may be in a scene, world frame, m."""

    bounds_min: Point
    bounds_max: Point


@dataclass(frozen=True)
class SetInfo:
    """What a set is.

    Attributes:
        scenes: bounds of each scene by name.
        seeds: by what they seed.
        thresholds: what counted as answerable when the set was labelled.
        settings: other values that the set was labelled with and should be run with.
        content_hash: SHA-256 over all other files; empty until saved.
    """

    benchmark: str
    actions: ActionSpace
    scenes: Mapping[str, SceneBounds]
    seeds: Mapping[str, int] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    content_hash: str = ""
    schema_version: int = SCHEMA_VERSION


@dataclass(frozen=True)
class EpisodeSet:
    """The public part of a set."""

    folder: Path
    info: SetInfo
    episodes: tuple[Episode, ...]

    def scene_folder(self, name: str) -> Path:
        return self.folder / SCENES / name

    def goal_image(self, episode_id: str) -> Path:
        """Where the image at the goal lies; gold data."""
        return self.folder / GOALS / f"{episode_id}.png"


def save_set(folder: str | Path, info: SetInfo, episodes: Sequence[Episode], truths: Sequence[Truth]) -> EpisodeSet:
    """Write ``episodes.jsonl``, ``truth.jsonl`` and, last, ``set.json``; scenes and goal images must lie there already.

    Raises:
        FormatError: the parts contradict each other (see ``load_set`` and ``load_truths``).
    """
    root = Path(folder)
    _check_episodes(episodes, info, str(root / EPISODES))
    _check_truths(truths, episodes, str(root / TRUTH))
    write_whole(root / EPISODES, "".join(to_line(episode) + "\n" for episode in episodes))
    write_whole(root / TRUTH, "".join(to_line(truth) + "\n" for truth in truths))
    values = asdict(info) | {"content_hash": content_hash(root)}
    write_whole(root / SET, json.dumps(values, indent=2, sort_keys=True, allow_nan=False) + "\n")
    return load_set(root)


def load_set(folder: str | Path) -> EpisodeSet:
    """The public part of a set; gold data is not touched.

    Raises:
        FormatError: a file is missing or wrong; says which, in which line and why.
    """
    root = Path(folder)
    if root.is_file() and root.name in (SET, EPISODES):
        root = root.parent
    info = _read_info(root / SET)
    path = root / EPISODES
    episodes = [episode_of(line, where) for line, where in _lines(path)]
    if not episodes:
        raise FormatError(f"{path} holds no episode; make the set again")
    _check_episodes(episodes, info, str(path))
    return EpisodeSet(root, info, tuple(episodes))


def load_truths(folder: str | Path, episodes: Sequence[Episode]) -> dict[str, Truth]:
    """Gold data by episode id, one for each episode.

    Raises:
        FormatError: a line is wrong, a truth has no episode or an episode no truth.
    """
    path = Path(folder) / TRUTH
    truths = [truth_of(line, where) for line, where in _lines(path)]
    _check_truths(truths, episodes, str(path))
    return {truth.episode_id: truth for truth in truths}


def content_hash(folder: str | Path) -> str:
    """SHA-256 over the names and bytes of all files but ``set.json`` and those in hidden folders, which are caches."""
    root, digest = Path(folder), hashlib.sha256()
    files = sorted(
        item for item in root.rglob("*") if item.is_file() and item != root / SET and not _hidden(item, root)
    )
    for item in files:
        data = item.read_bytes()
        digest.update(f"{item.relative_to(root).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def _hidden(item: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in item.relative_to(root).parts[:-1])


def check_files(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> list[str]:
    """What is missing or changed among the files of a loaded set, one sentence each."""
    problems = []
    for name in episode_set.info.scenes:
        if not episode_set.scene_folder(name).is_dir():
            problems.append(f"the folder of scene '{name}' is missing: {episode_set.scene_folder(name)}")
    for truth in truths.values():
        if truth.goal is not None and not episode_set.goal_image(truth.episode_id).is_file():
            problems.append(f"episode '{truth.episode_id}' has no goal image at {GOALS}/{truth.episode_id}.png")
    if episode_set.info.content_hash != content_hash(episode_set.folder):
        problems.append("the files do not match the content hash in set.json; the set was changed after it was made")
    return problems


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FormatError(f"{path} is missing; give the folder of an episode set") from error
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot read {path}: {unreadable(error)}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield line, f"{path}, line {number}"


def _read_info(path: Path) -> SetInfo:
    if not path.is_file():
        raise FormatError(f"{path} is missing; give the folder of an episode set")
    values = read_json(path)
    if not isinstance(values, dict):
        raise FormatError(f"{path} is not a JSON object; make the set again")
    version = values.get("schema_version")
    if version != SCHEMA_VERSION:
        raise FormatError(f"{path}: schema_version is {version!r}, this program reads {SCHEMA_VERSION}")
    unknown = sorted(set(values) - set(SetInfo.__dataclass_fields__))
    if unknown:
        raise FormatError(f"{path}: unknown key '{unknown[0]}'; known: {', '.join(SetInfo.__dataclass_fields__)}")
    try:
        scenes = {name: _bounds(item) for name, item in values["scenes"].items()}
        actions = ActionSpace(float(values["actions"]["translation"]), float(values["actions"]["rotation"]))
        info = SetInfo(
            benchmark=str(values["benchmark"]),
            actions=actions,
            scenes=scenes,
            seeds=dict(values.get("seeds", {})),
            thresholds=dict(values.get("thresholds", {})),
            settings=dict(values.get("settings", {})),
            content_hash=str(values.get("content_hash", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"{path} lacks a valid value: {type(error).__name__} {error}; make the set again") from error
    bad = next((name for name in scenes if not SAFE_NAME.fullmatch(name)), None)
    if bad is not None:
        raise FormatError(f"{path}: the scene name {bad!r} cannot name a folder; use letters, digits, '.', '_', '-'")
    return info


def _bounds(values: Mapping[str, Sequence[float]]) -> SceneBounds:
    low, high = (tuple(float(value) for value in values[key]) for key in ("bounds_min", "bounds_max"))
    if len(low) != 3 or len(high) != 3 or not all(a < b for a, b in zip(low, high, strict=True)):
        raise ValueError(f"bounds {low} to {high} are not a box")
    if not all(math.isfinite(value) for value in low + high):
        raise ValueError(f"bounds {low} to {high} are not finite")
    return SceneBounds((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _check_episodes(episodes: Sequence[Episode], info: SetInfo, where: str) -> None:
    _refuse_duplicates([episode.episode_id for episode in episodes], where)
    for episode in episodes:
        if episode.scene not in info.scenes:
            known = ", ".join(info.scenes) or "none"
            raise FormatError(
                f"{where}: episode '{episode.episode_id}' is in unknown scene '{episode.scene}' ({known})"
            )
        bounds = info.scenes[episode.scene]
        for axis, value, low, high in zip(
            "xyz", episode.start.position, bounds.bounds_min, bounds.bounds_max, strict=True
        ):
            if not low <= value <= high:
                raise FormatError(
                    f"{where}: episode '{episode.episode_id}' starts outside scene '{episode.scene}': "
                    f"{axis} = {value:.3f} m is not in [{low:.3f}, {high:.3f}] m"
                )


def _check_truths(truths: Sequence[Truth], episodes: Sequence[Episode], where: str) -> None:
    _refuse_duplicates([truth.episode_id for truth in truths], where)
    asked = {episode.episode_id: {item.question_id for item in episode.questions} for episode in episodes}
    for truth in truths:
        if truth.episode_id not in asked:
            raise FormatError(
                f"{where}: truth '{truth.episode_id}' belongs to no episode; remove it or add the episode"
            )
        if {item.question_id for item in truth.questions} != asked[truth.episode_id]:
            raise FormatError(f"{where}: the questions of truth '{truth.episode_id}' are not those of its episode")
    missing = sorted(set(asked) - {truth.episode_id for truth in truths})
    if missing:
        raise FormatError(f"{where}: episode '{missing[0]}' has no gold data; add its line")


def _refuse_duplicates(names: Sequence[str], where: str) -> None:
    known: set[str] = set()
    for name in names:
        if name in known:
            raise FormatError(f"{where}: two entries have the episode_id '{name}'; make them differ")
        known.add(name)
