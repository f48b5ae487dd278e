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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.benchmarks.sets.episode_json import episode_of, to_line, truth_of
from vantage.benchmarks.sets.set_info import SetInfo, plain_info, read_info
from vantage.errors import FormatError
from vantage.file_references import why_link_out
from vantage.files import (
    EPISODE_SET,
    MOST_JSON,
    UNFINISHED,
    new_folder,
    read_json,
    read_text,
    unreadable,
    write_whole,
)
from vantage.planning import GantryActions
from vantage.types import Episode, Truth

QUESTION_ID = "q1"  # of the question of an episode that has one alone
_WHOLE = "set:"  # in front of a content hash that covers set.json, too
EPISODES, TRUTH, GOALS, SCENES = "episodes.jsonl", "truth.jsonl", "goals", "scenes"
TRAINING = "train"  # name of the folder of a training set


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
    values = plain_info(info)
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
    if out := why_link_out(root):
        raise FormatError(out)
    info = read_info(root / EPISODE_SET)
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
    names = read_info(described).actions.names if described.is_file() else GantryActions.names
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
