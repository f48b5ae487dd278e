"""With which setup episodes are run, and which of them need not be run again."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets import SCENES, EpisodeSet, checked_hash
from vantage.config import Settings
from vantage.errors import RecordingError, UsageError
from vantage.files import CHECKPOINT, file_of, unreadable
from vantage.planning import axes_named
from vantage.recording import Recording, calls_beside, read_recording, recorded_setup, sweep_partial
from vantage.runs.unanswered import said_by_model
from vantage.types import Episode, Verdict
from vantage.wording import shown

_EPISODES = "episodes"
PROMPT_VERSION = "agent.prompts"  # of a setup: with which prompts the agent asks its model; empty where it states none
_FILES = ("agent.calibration", "agent.prior", "agent.checkpoint")  # by whose content answers are made
# How long objects may take, what may be spent, where a server is and what else is kept: no answer depends on it.
_IMMATERIAL_GROUPS = ("run", "judge", "training")
_IMMATERIAL = {
    "agent.confirmation_timeout",
    "rig.confirmed",
    "world.threads",
    *(f"model.{key}" for key in ("url", "key_variable", "device", "timeout", "retries", "cache")),
    *(f"model.{key}" for key in ("max_calls", "max_tokens", "max_seconds", "max_cost", "price_in", "price_out")),
}


def setup_of(world: str, seed: int, settings: Settings, episode_set: EpisodeSet) -> dict[str, Any]:
    """All on which the outcome of an episode depends, by name.

    Raises:
        FormatError: the episode set was changed after it was made.
        UnknownNameError: ``control.dof`` names an axis that does not exist.
        UsageError: the calibration, the file of a prior or a checkpoint cannot be read.
    """
    values = _flat(settings)
    values["control.dof"] = ",".join(axes_named(settings.control.dof) or ())
    for key in _FILES:
        if values[key]:
            values[key] = _digest(file_of(values[key], CHECKPOINT))
    scenes = os.path.realpath(values["world.scenes"])
    own = values["world.scenes"] and scenes == os.path.realpath(episode_set.folder / SCENES)
    values["world.scenes"] = "" if own or not values["world.scenes"] else scenes
    return {"world": world, "seed": seed, _EPISODES: checked_hash(episode_set), **values}


def remaining(
    out: Path, episodes: Sequence[Episode], setup: Mapping[str, Any] | None
) -> tuple[list[Episode], list[Path]]:
    """The episodes that have no complete bag yet, and the bags of those that failed, which stand in the way.

    Args:
        setup: with which they are to be run; None where no bag may be there at all.

    Raises:
        RecordingError: something is there that is no bag, or one of another setup.
    """
    left: list[Episode] = []
    spoiled: list[Path] = []
    for episode in episodes:
        bag = out / episode.episode_id
        if not os.path.lexists(bag):
            left.append(episode)
            continue
        if setup is None:
            raise RecordingError(f"{bag} exists already; choose another --out, or go on with a set by --resume")
        _require_same(bag, setup)
        if _is_done(bag):
            sweep_partial(out, episode.episode_id)
        else:
            left.append(episode)
            spoiled.append(bag)
    return left, spoiled


def remove_bags(bags: Iterable[Path]) -> None:
    """Remove bags that ``remaining`` called spoiled."""
    for bag in bags:
        shutil.rmtree(bag)


def _names_in(bag: Path) -> set[str]:
    """The files of a bag, but for that of the calls to models, which it need not have."""
    return {item.name for item in bag.iterdir()} - {calls_beside(bag).name}


def _require_same(bag: Path, setup: Mapping[str, Any]) -> None:
    """
    Raises:
        RecordingError: what is there was not recorded by this program with this setup.
    """
    ours = {"metadata.yaml", f"{bag.name}.mcap"}
    if not bag.is_dir() or bag.is_symlink() or _names_in(bag) != ours:
        raise RecordingError(
            f"{bag} is not a bag that was recorded here, so --resume does not replace it; move it away or choose "
            "another --out"
        )
    recorded = recorded_setup(bag)
    if recorded is None:
        raise RecordingError(
            f"{bag} does not say with which setup it was recorded, as older bags do not; choose another --out"
        )
    # Of settings that were not there yet, their defaults hold; but no prompt is that of bags that name none.
    recorded = _flat(Settings()) | {PROMPT_VERSION: ""} | recorded
    for key, value in setup.items():
        if recorded.get(key) != value:
            difference = _difference(key, recorded.get(key), value)
            raise RecordingError(f"{bag} was recorded {difference}; choose another --out")


def _difference(key: str, recorded: Any, now: Any) -> str:
    if key == _EPISODES:
        return "of another episode set, or of this one before it was changed"
    return f"with {key} = {shown(recorded)}, and this run has {shown(now)}"


def _is_done(bag: Path) -> bool:
    """Whether an episode was recorded to its end, and answered by the model where one was asked."""
    try:
        recording = read_recording(bag)
    except RecordingError:
        return False
    return not recording.shortfall() and not _unanswered_by_model(recording)


def _unanswered_by_model(recording: Recording) -> bool:
    """Whether a model was to answer and said nothing that could be used."""
    return bool(recording.answers) and all(
        answer.verdict is Verdict.NEEDS_MODEL and said_by_model(answer) for answer in recording.answers
    )


def _flat(settings: Settings) -> dict[str, Any]:
    return {
        f"{group}.{key}": value
        for group, part in asdict(settings).items()
        if group not in _IMMATERIAL_GROUPS
        for key, value in part.items()
        if f"{group}.{key}" not in _IMMATERIAL
    }


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {unreadable(error)}") from error
