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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets.episode_json import Record, episode_of, to_line, truth_of
from vantage.benchmarks.sets.step_budget import StepBudget
from vantage.config import FRAMES, ActionSettings, Settings
from vantage.errors import ConfigError, FormatError, SceneError, UnknownNameError, UsageError
from vantage.files import (
    EPISODE_SET,
    MOST_JSON,
    SAFE_NAME,
    UNFINISHED,
    new_folder,
    read_json,
    read_text,
    unreadable,
    write_whole,
)
from vantage.planning import ActionSpace, GantryActions, further_sizes, make_actions
from vantage.scenes.generator import HomeLayout
from vantage.types import Episode, Point, Truth
from vantage.wording import shown

SCHEMA_VERSION = 1
USUAL_WORLD = "splat"  # of sets that name none
QUESTION_ID = "q1"  # of the question of an episode that has one alone
_WHOLE = "set:"  # in front of a content hash that covers set.json, too
_FURTHER = tuple(  # sizes that only some action spaces have
    item.name for item in fields(ActionSettings) if item.name not in ("translation", "rotation", "space", "frame")
)
EPISODES, TRUTH, GOALS, SCENES = "episodes.jsonl", "truth.jsonl", "goals", "scenes"
TRAINING = "train"  # name of the folder of a training set


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
        content_hash: SHA-256 over all of the set; empty until saved.
        homes: how its homes were generated; None for usual ones and for imported houses.
        budget: actions that its episodes allow; None where that is the usual number of the benchmark.
        world: registered name of the world in which it was labelled, and in which its gold data count.
    """

    benchmark: str
    actions: ActionSpace
    scenes: Mapping[str, SceneBounds]
    seeds: Mapping[str, int] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    content_hash: str = ""
    schema_version: int = SCHEMA_VERSION
    homes: HomeLayout | None = None
    budget: StepBudget | None = None
    world: str = USUAL_WORLD


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


@contextmanager
def new_set_folder(folder: str | Path) -> Iterator[Path]:
    """The folder of a set that is being made; see ``files.new_folder``.

    Raises:
        UsageError: something lies in the folder, or another process makes a set there.
    """
    with new_folder(Path(folder)) as root:
        yield root


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
    values = {key: value for key, value in asdict(info).items() if value is not None}
    values["actions"] = _plain_actions(info.actions)
    if info.world == USUAL_WORLD:
        del values["world"]
    if info.homes is not None:
        values["homes"] = _plain_homes(info.homes)
    values["content_hash"] = _with_description(_hash_of_files(root), values)
    write_whole(root / EPISODE_SET, json.dumps(values, indent=2, sort_keys=True, allow_nan=False) + "\n")
    return load_set(root)


def load_set(folder: str | Path) -> EpisodeSet:
    """The public part of a set; gold data is not touched.

    Raises:
        FormatError: a file is missing or wrong; says which, in which line and why.
    """
    root = Path(folder)
    if root.is_file() and root.name in (EPISODE_SET, EPISODES):
        root = root.parent
    info = _read_info(root / EPISODE_SET)
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
    described = Path(folder) / EPISODE_SET
    names = _read_info(described).actions.names if described.is_file() else GantryActions.names
    truths = [truth_of(line, where, names) for line, where in _lines(path)]
    _check_truths(truths, episodes, str(path))
    return {truth.episode_id: truth for truth in truths}


def content_hash(folder: str | Path) -> str:
    """SHA-256 over what ``set.json`` says, but for the hash itself, and over the names and bytes of all other files but
    those in hidden folders, which are caches.

    Raises:
        FormatError: ``set.json`` cannot be read.
    """
    root = Path(folder)
    return _with_description(
        _hash_of_files(root), read_json(root / EPISODE_SET) if (root / EPISODE_SET).is_file() else {}
    )


def checked_hash(episode_set: EpisodeSet) -> str:
    """The content hash of a set that is as it was made, or that names none.

    Raises:
        FormatError: it was changed since.
    """
    if not is_unchanged(episode_set):
        raise FormatError(
            f"{episode_set.folder} was changed after it was made: its files do not match the content hash in "
            f"{EPISODE_SET}; "
            f'make it again, or set content_hash to "" there to have it taken as it is'
        )
    return episode_set.info.content_hash or content_hash(episode_set.folder)


def is_unchanged(episode_set: EpisodeSet) -> bool:
    """Whether a set matches its content hash. Sets made before ``set.json`` itself was covered have a hash without
    ``set:`` in front, which is over all other files."""
    stored = episode_set.info.content_hash
    if stored.startswith(_WHOLE) or not stored:
        return not stored or stored == content_hash(episode_set.folder)
    return stored == _hash_of_files(episode_set.folder)


def _with_description(files: str, values: Mapping[str, Any]) -> str:
    said = {key: value for key, value in values.items() if key != "content_hash"}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return _WHOLE + hashlib.sha256(f"{files}\0{text}".encode()).hexdigest()


def _hash_of_files(root: Path) -> str:
    digest = hashlib.sha256()
    files = sorted(
        item
        for item in root.rglob("*")
        if item.is_file() and item not in (root / EPISODE_SET, root / UNFINISHED) and not _hidden(item, root)
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
    if not (episode_set.info.content_hash and is_unchanged(episode_set)):
        problems.append("the files do not match the content hash in set.json; the set was changed after it was made")
    return problems


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = read_text(path, 4 * MOST_JSON)
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
    version = values.get("schema_version") if isinstance(values, dict) else SCHEMA_VERSION
    if version != SCHEMA_VERSION:
        raise FormatError(f"{path}: schema_version is {shown(version)}, this program reads {SCHEMA_VERSION}")
    record = Record(values, str(path), SetInfo)
    scenes = {name: _bounds(name, item, path) for name, item in record.mapping("scenes").items()}
    settings = record.mapping("settings", {})
    return SetInfo(
        benchmark=record.text("benchmark"),
        actions=_actions(record.value("actions"), settings, path),
        scenes=scenes,
        seeds=record.numbers_by_name("seeds", whole=True),
        thresholds=record.numbers_by_name("thresholds"),
        settings=settings,
        content_hash=record.text("content_hash", ""),
        homes=_homes(record.value("homes", None), path),
        budget=_budget(record.value("budget", None), path),
        world=record.text("world", USUAL_WORLD),
    )


def _homes(value: Any, path: Path) -> HomeLayout | None:
    if value is None:
        return None
    record = Record(value, f"{path}: homes", HomeLayout)
    area = None if record.value("room_area", None) is None else record.numbers("room_area", 2)
    try:
        return HomeLayout(
            None if area is None else (area[0], area[1]),
            record.text("layout"),
            record.text("prints", HomeLayout.prints),
        )
    except SceneError as error:
        raise FormatError(f"{path}: homes: {error}") from error


def _plain_homes(homes: HomeLayout) -> dict[str, Any]:
    """As ``set.json`` says it; homes of which no print is named have usual ones."""
    values = asdict(homes)
    return {key: value for key, value in values.items() if key != "prints" or value != HomeLayout.prints}


def _budget(value: Any, path: Path) -> StepBudget | None:
    if value is None:
        return None
    record = Record(value, f"{path}: budget", StepBudget)
    try:
        return StepBudget(record.whole("at_least"), record.number("per_square_metre", 0.0))
    except UsageError as error:
        raise FormatError(f"{path}: budget: {error}") from error


def _actions(value: Any, settings: Mapping[str, Any], path: Path) -> ActionSpace:
    """The action space; it and the other settings that a set is run with must be possible ones."""
    record = Record(value, f"{path}: actions", ActionSettings)
    actions: dict[str, Any] = {f"actions.{key}": record.number(key) for key in ("translation", "rotation")}
    actions["actions.space"] = record.text("space", GantryActions.name)
    actions["actions.frame"] = record.text("frame", "world", FRAMES)
    actions |= {f"actions.{key}": record.number(key) for key in _FURTHER if record.value(key, None) is not None}
    try:
        return make_actions(Settings().with_values({**settings, **actions}, str(path)).actions)
    except (ConfigError, UnknownNameError) as error:
        raise FormatError(str(error)) from error
    except ValueError as error:  # of an action space that another package adds
        raise FormatError(f"{path}: actions: {error}") from error


def _plain_actions(actions: ActionSpace) -> dict[str, Any]:
    """As ``set.json`` says it; an action space that is not named is ``gantry``, a frame ``world``."""
    plain: dict[str, Any] = {"translation": actions.translation, "rotation": actions.rotation}
    if actions.name != GantryActions.name:
        plain["space"] = actions.name
    return {**plain, **({} if actions.frame == "world" else {"frame": actions.frame}), **further_sizes(actions)}


def _bounds(name: str, value: Any, path: Path) -> SceneBounds:
    if not SAFE_NAME.fullmatch(name):
        raise FormatError(
            f"{path}: the scene name {shown(name)} cannot name a folder; use letters, digits, '.', '_', '-'"
        )
    record = Record(value, f"{path}: scenes.{name}", SceneBounds)
    low, high = record.point("bounds_min"), record.point("bounds_max")
    if not all(a < b for a, b in zip(low, high, strict=True)):
        raise FormatError(f"{path}: scenes.{name}: bounds {low} to {high} are not a box; make the set again")
    return SceneBounds(low, high)


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
    by_id = {episode.episode_id: episode for episode in episodes}
    for truth in truths:
        if truth.episode_id not in by_id:
            raise FormatError(
                f"{where}: truth '{truth.episode_id}' belongs to no episode; remove it or add the episode"
            )
        episode = by_id[truth.episode_id]
        keys = [(item.phase, item.question_id) for item in truth.questions]
        if episode.phases and keys != [item.key for item in episode.questions]:
            raise FormatError(
                f"{where}: the questions of truth '{truth.episode_id}' are not those of its episode; give each with "
                "its 'phase', in the order in which they are asked"
            )
        strange = any(not any(map(item.is_about, episode.questions)) for item in truth.questions)
        if strange or {item.question_id for item in truth.questions} != {
            item.question_id for item in episode.questions
        }:
            raise FormatError(f"{where}: the questions of truth '{truth.episode_id}' are not those of its episode")
    missing = sorted(set(by_id) - {truth.episode_id for truth in truths})
    if missing:
        raise FormatError(f"{where}: episode '{missing[0]}' has no gold data; add its line")


def _refuse_duplicates(names: Sequence[str], where: str) -> None:
    known: set[str] = set()
    for name in names:
        if name in known:
            raise FormatError(f"{where}: two entries have the episode_id '{name}'; make them differ")
        known.add(name)
