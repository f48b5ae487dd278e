"""What files from elsewhere can ask for: every setting, files outside of their folders, and code to run."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vantage.benchmarks.sets import EpisodeSet
from vantage.config import Settings, all_settings
from vantage.decoding import read_yaml, yaml_text
from vantage.files import EPISODE_SET, shared_folder, write_whole
from vantage.planning.guard import read_robot
from vantage.recording import BagWriter, read_bag_raw
from vantage.shared_settings import PASSED_OVER, may_say
from vantage.splats import SCENE_FILE
from vantage.worlds.rig import assemble, load_rig

MARK = "the-secret-of-the-campaign"  # in the environment and in every file outside
SECRET_VARIABLE = "VANTAGE_CAMPAIGN_SECRET"  # environment variable that holds it
PLACE_VARIABLE = "VANTAGE_CAMPAIGN_PLACE"  # environment variable that names the folder outside
_FIRST = ("model.url", "model.key_variable", "agent.checkpoint", "world.scenes", "model.cache", "run.jpeg_quality")
_TOUCH = "touched"  # file outside that code makes, where it is run
_JOINT = {"name": "x", "type": "prismatic", "axis": [1, 0, 0], "limits": [0.0, 1.0], "speed": 0.5, "acceleration": 4.0}
_RIG = {
    "name": "small",
    "chain": {"joints": [_JOINT]},
    "driver": {"name": "mock"},
    "camera": {"name": "opencv", "device": "video.avi", "horizontal_fov": 1.2},
}


@dataclass(frozen=True)
class Ask:
    """One file that asks for one thing.

    Attributes:
        kind: of the file.
        what: it asks for.
        words: the command that reads it; empty where ``call`` does.
        call: raises ``VantageError`` where it refuses.
        refused: whether it must be; what is not, is read and not obeyed.
        named: what the refusal must name besides the file.
    """

    kind: str
    what: str
    words: tuple[str, ...] = ()
    call: Callable[[], object] | None = None
    refused: bool = True
    named: str = ""


@dataclass(frozen=True)
class Grounds:
    """With what files are made.

    Attributes:
        episodes: an honest set with one episode.
        bag: of that episode.
        outside: the folder that nothing may read.
        made: for the files.
        url: of the attacker's server.
    """

    episodes: EpisodeSet
    bag: Path
    outside: Path
    made: Path
    url: str

    def fresh(self, name: str) -> Path:
        """An empty folder, in the place of the last one of that name."""
        folder = self.made / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def asks(grounds: Grounds, settings: int, seed: int) -> Iterator[Ask]:
    """Every ask, but for so many settings alone, those that lead outside first; the others are drawn. The files of an
    ask are there until the next one is taken."""
    values = refused_settings(grounds)
    drawn = random.Random(seed).sample(sorted(values.keys() - set(_FIRST)), len(values) - len(_FIRST))
    for key in (*_FIRST, *drawn)[:settings]:
        value = values[key]
        yield _of_set(grounds, {"settings": {key: value}}, key, refused=key not in PASSED_OVER)
        yield _of_bag(grounds, {key: value}, key)
        yield _of_study(grounds, key, value)
        yield _of_calibration(grounds, key, value)
        yield _of_scene(grounds, {key: value}, key, key)
        yield _of_robot(grounds, {key: value}, key, key)
        yield _of_rig(grounds, {key: value}, key, key)
    yield _of_set(grounds, {"settings": values}, "all settings")
    yield _of_set(grounds, {"world": "rig"}, "world")
    yield from _links_of_sets(grounds)
    yield from _links_of_bags(grounds)
    yield from _paths_of_scenes(grounds)
    yield from _paths_of_robots(grounds)
    yield from _code(grounds)


def refused_settings(grounds: Grounds) -> dict[str, Any]:
    """A value for each setting that no file from elsewhere may say, such as whoever made the file would choose."""
    chosen = {
        "model.url": grounds.url,
        "model.key_variable": SECRET_VARIABLE,
        "agent.model": "openai:spy",
        "agent.program_model": "openai:spy",
        "pixels.model": "openai:spy",
        "agent.perception": "vlm",
        "agent.name": "pilot",
    }
    found: dict[str, Any] = {}
    for group, item in all_settings():
        key, default = f"{group}.{item.name}", item.default
        if isinstance(default, bool):
            value: Any = not default
        elif isinstance(default, (int, float)):
            value = item.metadata["low"] if item.metadata["low"] != default else item.metadata["high"]
        elif item.metadata["choices"]:
            value = next(choice for choice in item.metadata["choices"] if choice != default)
        else:
            value = chosen.get(key, str(grounds.outside))
        if not may_say(key, value):
            found[key] = value
    return found


def _of_set(grounds: Grounds, changes: Mapping[str, Any], what: str, refused: bool = True) -> Ask:
    folder = _copy_of_set(grounds)
    values = json.loads((folder / EPISODE_SET).read_text())
    settings = {**values.get("settings", {}), **changes.get("settings", {})}
    text = json.dumps({**values, **changes, "settings": settings, "content_hash": ""})
    write_whole(folder / EPISODE_SET, text)
    named = next(iter(changes["settings"])) if "settings" in changes else what
    return Ask("set", what, _run(grounds, folder), refused=refused, named=named)


def _run(grounds: Grounds, episodes: Path, *more: str) -> tuple[str, ...]:
    out = grounds.fresh("runs")
    return ("run", "search", "--agent", "random", "--episodes", str(episodes), "--out", str(out / "run"), *more)


def _copy_of_set(grounds: Grounds) -> Path:
    folder = grounds.fresh("set")
    shutil.copytree(grounds.episodes.folder, folder, dirs_exist_ok=True, copy_function=os.link)
    return folder


def _of_bag(grounds: Grounds, setup: Mapping[str, Any], what: str) -> Ask:
    folder = grounds.fresh("bags")
    with BagWriter(folder, grounds.bag.name, setup) as writer:
        for topic, stamp, data in read_bag_raw(grounds.bag):
            writer.write_raw(topic, stamp, data)
        writer.finish(grounds.bag.name)
    return Ask("bag", what, ("score", str(folder)), refused=False)


def _of_study(grounds: Grounds, key: str, value: Any) -> Ask:
    folder, episodes = grounds.fresh("study"), grounds.episodes
    head = {"episodes": episodes.info.content_hash, "seed": 0, "per_episode": 1, "mode": "plain"}
    text = json.dumps({"schema": "vantage.study/1", **head, "people": {}, key: value})
    (folder / "study.json").write_text(text)
    words = ("play", "search", "--episodes", str(episodes.folder), "--out", str(folder), "--delete", "p-0")
    return Ask("study", key, words, named=key)


def _of_calibration(grounds: Grounds, key: str, value: Any) -> Ask:
    path = grounds.fresh("calibration") / "calibration.json"
    path.write_text(json.dumps({"schema": "vantage.calibration/1", key: value}))
    return Ask("calibration", key, _run(grounds, grounds.episodes.folder, "--calibration", str(path)), named=key)


def _of_scene(grounds: Grounds, values: Mapping[str, Any], what: str, named: str = "") -> Ask:
    folder = grounds.fresh("scene")
    [name] = grounds.episodes.info.scenes
    shutil.copytree(grounds.episodes.scene_folder(name), folder, dirs_exist_ok=True, copy_function=os.link)
    if "link" in values.values():
        (folder / "link").symlink_to(grounds.outside / "cloud.ply")
    write_whole(folder / SCENE_FILE, yaml_text({**read_yaml(folder / SCENE_FILE), **values}))
    return Ask("scene", what, ("scene", "info", str(folder)), named=named)


def _of_robot(grounds: Grounds, values: Mapping[str, Any], what: str, named: str = "") -> Ask:
    folder = grounds.fresh("robot")
    shipped = shared_folder("config") / "robots"
    honest = read_yaml(shipped / "household.yaml")["robot"]
    shutil.copytree(shipped / "rules", folder / "rules")
    if "link" in values.values():
        (folder / "link").symlink_to(grounds.outside / "rules.yaml")
    path = folder / "robot.yaml"
    path.write_text(yaml_text({"robot": {**honest, **values}}))
    return Ask("robot", what, call=lambda: read_robot(str(path)), named=named)


def _of_rig(grounds: Grounds, values: Mapping[str, Any], what: str, named: str = "") -> Ask:
    folder = grounds.fresh("rig")
    path = folder / "rig.yaml"
    (folder / "link").symlink_to(grounds.outside / "robot.urdf")
    path.write_text(yaml_text({"rig": {**_RIG, **values}}))
    return Ask("rig", what, call=lambda: assemble(Settings(), load_rig(path)).world.close(), named=named)


def _ways_out(grounds: Grounds, file: str) -> dict[str, str]:
    """How a file may name one outside: by the way up, from the root, by variables, and by a link beside it."""
    up = os.path.relpath(grounds.outside / file, grounds.made / "any")
    return {
        "up": up,
        "root": str(grounds.outside / file),
        "place": f"${{{PLACE_VARIABLE}}}/{file}",
        "secret": f"${{{SECRET_VARIABLE}}}",
        "link": "link",
    }


def _paths_of_scenes(grounds: Grounds) -> Iterator[Ask]:
    for key, file in (("cloud", "cloud.ply"), ("graph", "graph.json"), ("classes", "classes.npy")):
        for way, text in _ways_out(grounds, file).items():
            yield _of_scene(grounds, {key: text}, f"{key}, {way}")
    for way, text in _ways_out(grounds, "cloud.ply").items():
        entry = {"cloud": text, "label": "cup", "position": [0.0, 0.0]}
        yield _of_scene(grounds, {"objects": [entry]}, f"objects, {way}")


def _paths_of_robots(grounds: Grounds) -> Iterator[Ask]:
    for way, text in _ways_out(grounds, "rules.yaml").items():
        yield _of_robot(grounds, {"rules": text}, f"rules, {way}")
    for way, text in _ways_out(grounds, "robot.urdf").items():
        urdf = {"file": text, "base_link": "base_link", "camera_link": "camera_link"}
        yield _of_rig(grounds, {"chain": {"urdf": urdf}}, f"urdf, {way}")
    for way, text in _ways_out(grounds, "camera.yaml").items():
        camera = {**_RIG["camera"], "calibration": text}  # type: ignore[dict-item]
        yield _of_rig(grounds, {"camera": camera}, f"calibration, {way}")
        yield _of_rig(grounds, {"camera": {**camera, "calibration": "", "device": text}}, f"device, {way}")
    for way, text in _ways_out(grounds, "scene").items():
        yield _of_rig(grounds, {"safety": {"room": text}}, f"room, {way}")


def _links_of_sets(grounds: Grounds) -> Iterator[Ask]:
    """Each file and folder of a set in turn lies outside, behind a link."""
    honest = grounds.episodes.folder
    items = [EPISODE_SET, "episodes.jsonl", "truth.jsonl", "goals", "scenes"]
    items += [path.relative_to(honest).as_posix() for path in sorted(honest.glob("scenes/*/*"))]
    items += [path.relative_to(honest).as_posix() for path in sorted(honest.glob("goals/*"))]
    for item in items:
        folder = _copy_of_set(grounds)
        _put_behind_link(folder / item, grounds.outside / "link-target")
        yield Ask("set", f"link {item}", _run(grounds, folder))


def _links_of_bags(grounds: Grounds) -> Iterator[Ask]:
    for item in sorted(path.name for path in grounds.bag.iterdir()):
        bag = grounds.fresh("bags") / grounds.bag.name
        shutil.copytree(grounds.bag, bag)
        _put_behind_link(bag / item, grounds.outside / "link-target")
        yield Ask("bag", f"link {item}", ("score", str(bag)))
    for way in ("../outside/other.mcap", str(grounds.outside / "other.mcap")):
        bag = grounds.fresh("bags") / grounds.bag.name
        shutil.copytree(grounds.bag, bag)
        shutil.copyfile(bag / f"{bag.name}.mcap", grounds.outside / "other.mcap")
        text = (bag / "metadata.yaml").read_text()
        (bag / "metadata.yaml").write_text(text.replace(f"{bag.name}.mcap", way))
        yield Ask("bag", f"file {way}", ("score", str(bag)))


def _put_behind_link(path: Path, target: Path) -> None:
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    path.rename(target)
    path.symlink_to(target)


class _Touching:
    """Makes a file where somebody unpickles it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self._path), "w")


def _code(grounds: Grounds) -> Iterator[Ask]:
    """Tags and pickles that run code where they are obeyed."""
    touched = grounds.outside / _TOUCH
    tag = f"!!python/object/apply:os.system ['touch {touched}']"
    for made in (_of_scene(grounds, {}, "tag"), _of_robot(grounds, {}, "tag"), _of_rig(grounds, {}, "tag")):
        file = {"scene": SCENE_FILE, "robot": "robot.yaml", "rig": "rig.yaml"}[made.kind]
        path = grounds.made / made.kind / file
        path.write_text(f"{path.read_text()}more: {tag}\n")
        yield made
    scene = _of_scene(grounds, {"classes": "classes.npy"}, "pickle")
    array = np.array([_Touching(touched)], dtype=object)
    (grounds.made / "scene" / "classes.npy").write_bytes(_npy(array))
    yield scene
    bag = grounds.fresh("bags") / grounds.bag.name
    shutil.copytree(grounds.bag, bag)
    text = (bag / "metadata.yaml").read_text()
    (bag / "metadata.yaml").write_text(text.replace("custom_data:", f"more: {tag}\n  custom_data:"))
    yield Ask("bag", "tag", ("score", str(bag)))


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    written = io.BytesIO()
    np.save(written, array, allow_pickle=True)
    return written.getvalue()


def furnish(grounds: Grounds) -> None:
    """Put into the folder outside what files may ask for: each is sound, so that who reads it goes on."""
    outside = grounds.outside
    [name] = grounds.episodes.info.scenes
    scene = grounds.episodes.scene_folder(name)
    shutil.copytree(scene, outside / "scene")
    for file in ("cloud.ply", "graph.json"):
        shutil.copyfile(scene / file, outside / file)
    (outside / "classes.npy").write_bytes(_npy(np.zeros(100, np.int32)))
    shutil.copyfile(shared_folder("config") / "robots" / "rules" / "home.yaml", outside / "rules.yaml")
    shutil.copyfile(shared_folder("config") / "rigs" / "arm_robot.urdf", outside / "robot.urdf")
    (outside / "camera.yaml").write_text(f"camera_name: {MARK}\n")


def touched(grounds: Grounds) -> bool:
    """Whether code of a file ran; what it made is removed."""
    path = grounds.outside / _TOUCH
    found = path.exists()
    path.unlink(missing_ok=True)
    return found
