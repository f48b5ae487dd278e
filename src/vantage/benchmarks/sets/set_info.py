"""What ``set.json`` says of an episode set, read and checked; and as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets.episode_json import Record
from vantage.benchmarks.sets.step_budget import StepBudget
from vantage.config import FRAMES, ActionSettings, Settings
from vantage.errors import ConfigError, FormatError, SceneError, UnknownNameError, UsageError
from vantage.files import SAFE_NAME, read_json
from vantage.planning import ActionSpace, GantryActions, further_sizes, make_actions
from vantage.scenes.generator import HomeLayout
from vantage.shared_settings import shared_values
from vantage.types import FIRST_VIEW_RULE, VIEW_RULE, Point
from vantage.wording import shown

SCHEMA_VERSION = 1
USUAL_WORLD = "splat"  # of sets that name none
_MOST_VERSION = 10**6
_NO_KEYS = ("passed_over",)  # follow from what else set.json says
_REAL_WORLDS = ("rig",)  # in which something moves that can hit somebody
_FURTHER = tuple(  # sizes that only some action spaces have
    item.name for item in fields(ActionSettings) if item.name not in ("translation", "rotation", "space", "frame")
)


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
        settings: other values that the set was labelled with and should be run with; see ``vantage.shared_settings``.
        view_rule: version of the view rule by which it was labelled; a file that names none is of the first.
        passed_over: names of settings that it says and that do not count, as sets of earlier versions do.
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
    view_rule: int = VIEW_RULE
    passed_over: tuple[str, ...] = ()


def read_info(path: Path) -> SetInfo:
    """
    Raises:
        FormatError: the file is missing or wrong, or says what is for whoever runs the set to say.
    """
    if not path.is_file():
        raise FormatError(f"{path} is missing; give the folder of an episode set")
    values = read_json(path)
    version = values.get("schema_version") if isinstance(values, dict) else SCHEMA_VERSION
    if version != SCHEMA_VERSION:
        raise FormatError(f"{path}: schema_version is {shown(version)}, this program reads {SCHEMA_VERSION}")
    record = Record(values, str(path), SetInfo, _NO_KEYS)
    scenes = {name: _bounds(name, item, path) for name, item in record.mapping("scenes").items()}
    try:
        settings, passed_over = shared_values(record.mapping("settings", {}), str(path))
    except ConfigError as error:
        raise FormatError(str(error)) from error
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
        world=_world(record.text("world", USUAL_WORLD), path),
        view_rule=record.whole("view_rule", FIRST_VIEW_RULE, low=1, high=_MOST_VERSION),
        passed_over=passed_over,
    )


def _world(name: str, path: Path) -> str:
    if name in _REAL_WORLDS:
        raise FormatError(
            f"{path}: world is '{name}', where real things move, which is for whoever runs the set alone to say; take "
            f"it out there, and add --world {name} to your own command"
        )
    return name


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


def plain_info(info: SetInfo) -> dict[str, Any]:
    """As ``set.json`` says it, but for its content hash."""
    values = {key: value for key, value in asdict(info).items() if value is not None and key not in _NO_KEYS}
    values["actions"] = _plain_actions(info.actions)
    if info.world == USUAL_WORLD:
        del values["world"]
    if info.view_rule == FIRST_VIEW_RULE:
        del values["view_rule"]
    if info.homes is not None:
        values["homes"] = _plain_homes(info.homes)
    return values


def _plain_homes(homes: HomeLayout) -> dict[str, Any]:
    """As ``set.json`` says it; homes of which no print is named have usual ones."""
    values = asdict(homes)
    return {key: value for key, value in values.items() if key != "prints" or value != HomeLayout.prints}


def _plain_actions(actions: ActionSpace) -> dict[str, Any]:
    """As ``set.json`` says it; an action space that is not named is ``gantry``, a frame ``world``."""
    plain: dict[str, Any] = {"translation": actions.translation, "rotation": actions.rotation}
    if actions.name != GantryActions.name:
        plain["space"] = actions.name
    return {**plain, **({} if actions.frame == "world" else {"frame": actions.frame}), **further_sizes(actions)}
