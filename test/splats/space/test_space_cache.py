"""Free space from the cache: the same as computed, whatever happened to the files; where entries lie, and how many."""

from __future__ import annotations

import logging
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_room import small_room

from vantage.benchmarks.sets.episodes_io import content_hash
from vantage.spatial import Viewpoint
from vantage.splats.scene_file import SplatScene, load_scene, save_scene
from vantage.splats.space import space_cache
from vantage.splats.space.free_space import FreeSpace, find_free_space
from vantage.splats.space.space_cache import FOLDER, MOST_ENTRIES, cache_key, cached_free_space

VOXEL, BODY = 0.1, 0.15


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))
    return tmp_path / "users" / "vantage"


@pytest.fixture
def scene(tmp_path: Path, users: Path) -> SplatScene:
    cloud, graph = small_room()
    start = Viewpoint(1.0, 1.5, 0.8, 0.0, 0.0)
    return load_scene(save_scene(tmp_path / "home" / "room", None, graph, cloud, start=start))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[SplatScene]:
    """The scenes whose free space was computed and not read."""
    scenes: list[SplatScene] = []

    def spy(scene: SplatScene, voxel: float, radius: float) -> FreeSpace:
        scenes.append(scene)
        return find_free_space(scene, voxel, radius)

    monkeypatch.setattr(space_cache, "find_free_space", spy)
    return scenes


def entry(scene: SplatScene) -> Path:
    return scene.source.parent / FOLDER / f"{cache_key(scene, VOXEL, BODY)}.npz"


def same(a: FreeSpace, b: FreeSpace) -> bool:
    points = np.random.default_rng(0).uniform(-0.5, 4.5, (50, 3))
    return (
        np.array_equal(a.solid.occupied, b.solid.occupied)
        and np.array_equal(a.places, b.places)
        and np.array_equal(a.quarters, b.quarters)
        and np.array_equal(a.grid.occupied, b.grid.occupied)
        and np.array_equal(a.clearance(points), b.clearance(points))
        and (a.radius, a.indoors, a.solid.bounds_min, a.solid.bounds_max, a.solid.voxel)
        == (b.radius, b.indoors, b.solid.bounds_min, b.solid.bounds_max, b.solid.voxel)
    )


def test_the_second_time_it_is_read(scene: SplatScene, computed: list[SplatScene], users: Path) -> None:
    first = cached_free_space(scene, VOXEL, BODY)
    assert len(computed) == 1
    assert entry(scene).is_file()
    again = cached_free_space(load_scene(scene.source), VOXEL, BODY)
    assert len(computed) == 1
    assert same(first, again)
    assert not users.exists()
    assert {path.name for path in entry(scene).parent.iterdir()} == {entry(scene).name, ".gitignore"}


def test_an_entry_is_small(scene: SplatScene) -> None:
    space = cached_free_space(scene, VOXEL, BODY)
    assert entry(scene).stat().st_size < 2 * space.places.size


def test_equal_content_is_found_in_another_place(scene: SplatScene, computed: list[SplatScene], tmp_path: Path) -> None:
    cached_free_space(scene, VOXEL, BODY)
    shutil.move(scene.source.parent, tmp_path / "elsewhere")
    cached_free_space(load_scene(tmp_path / "elsewhere"), VOXEL, BODY)
    assert len(computed) == 1


def test_other_content_or_other_parameters_have_other_keys(scene: SplatScene) -> None:
    cloud = scene.cloud
    moved = replace(cloud, means=cloud.means + np.float32(1e-3))
    others = [
        replace(scene, cloud=moved),
        replace(scene, bounds_max=(4.0, 3.0, 2.6)),
        replace(scene, floor=0.1),
        replace(scene, start=Viewpoint(1.0, 1.5, 0.9, 0.0, 0.0)),
        replace(scene, start=None),
        replace(scene, start_region=((1, 1, 1), (2, 2, 2))),
    ]
    keys = {cache_key(other, VOXEL, BODY) for other in (scene, *others)}
    keys |= {cache_key(scene, 0.2, BODY), cache_key(scene, VOXEL, 0.2)}
    assert len(keys) == len(others) + 3
    assert cache_key(
        replace(scene, name="other", graph=None, start=Viewpoint(1.0, 1.5, 0.8, 2.0, 0.0)), VOXEL, BODY
    ) == cache_key(scene, VOXEL, BODY)


def test_another_version_is_computed_anew(
    scene: SplatScene, computed: list[SplatScene], monkeypatch: pytest.MonkeyPatch
) -> None:
    cached_free_space(scene, VOXEL, BODY)
    monkeypatch.setattr(space_cache, "VERSION", space_cache.VERSION + 1)
    cached_free_space(scene, VOXEL, BODY)
    assert len(computed) == 2


def test_damaged_entries_are_computed_anew_and_mended(
    scene: SplatScene, computed: list[SplatScene], caplog: pytest.LogCaptureFixture
) -> None:
    """Cut at many places, and with bytes changed anywhere; a change that does no harm may be read."""
    fresh = cached_free_space(scene, VOXEL, BODY)
    path = entry(scene)
    whole = path.read_bytes()
    rng = np.random.default_rng(5)
    shape = fresh.places.shape
    damaged = [whole[:cut] for cut in (0, 1, 4, 30, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1)]
    for _ in range(150):
        data = bytearray(whole)
        where = int(rng.choice([rng.integers(len(data)), rng.integers(300), len(data) - 1 - rng.integers(600)]))
        data[where] = int(rng.integers(256))
        damaged.append(bytes(data))
    key = cache_key(scene, VOXEL, BODY)
    unread = 0
    for data in damaged:
        path.write_bytes(data)
        read = space_cache._read(path, key, scene, VOXEL, BODY, shape)
        unread += read is None
        assert read is None or same(read, fresh)
    assert unread > 80
    path.write_bytes(whole[:-1])
    assert same(cached_free_space(scene, VOXEL, BODY), fresh)
    assert len(computed) == 2
    assert same(cached_free_space(scene, VOXEL, BODY), fresh)
    assert len(computed) == 2
    assert not caplog.records


def write_entry(path: Path, **values: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **values)


@pytest.mark.parametrize(
    "change",
    [
        {"key": np.frombuffer(b"0" * 32, np.uint8)},
        {"solid": np.zeros(3, np.uint8)},
        {"places": np.zeros((2, 2), np.float64)},
        {"quarters": np.zeros((40, 30, 25), np.int64)},
        {"quarters": np.zeros((25, 30, 40), np.int32)},
        {"quarters": np.zeros(10**8, np.uint8)},  # a bomb of 100 MB
        {"more": np.zeros(1, np.uint8)},
        {"indoors": np.array([{}], dtype=object)},
    ],
    ids=lambda change: f"{next(iter(change))}-{next(iter(change.values())).dtype}-{next(iter(change.values())).size}",
)
def test_foreign_entries_are_not_believed(
    scene: SplatScene, computed: list[SplatScene], change: dict[str, Any]
) -> None:
    fresh = cached_free_space(scene, VOXEL, BODY)
    with np.load(entry(scene)) as stored:
        values = dict(stored) | change
    write_entry(entry(scene), **values)
    assert same(cached_free_space(scene, VOXEL, BODY), fresh)
    assert len(computed) == 2


def test_a_folder_in_the_place_of_an_entry(scene: SplatScene, computed: list[SplatScene], users: Path) -> None:
    entry(scene).mkdir(parents=True)
    cached_free_space(scene, VOXEL, BODY)
    cached_free_space(scene, VOXEL, BODY)
    assert len(computed) == 1
    assert (users / entry(scene).name).is_file()


def test_a_folder_that_cannot_be_written_makes_way_for_the_users(
    scene: SplatScene, computed: list[SplatScene], users: Path
) -> None:
    (scene.source.parent / FOLDER).write_text("a file where the folder should be")  # holds for root, too
    cached_free_space(scene, VOXEL, BODY)
    assert (users / entry(scene).name).is_file()
    cached_free_space(scene, VOXEL, BODY)
    assert len(computed) == 1


def test_without_any_folder_it_works_and_says_so_once(
    scene: SplatScene, computed: list[SplatScene], users: Path, caplog: pytest.LogCaptureFixture
) -> None:
    space_cache._warn_once.cache_clear()
    (scene.source.parent / FOLDER).write_text("")
    users.parent.write_text("")
    with caplog.at_level(logging.WARNING):
        first, second = (cached_free_space(scene, VOXEL, BODY) for _ in range(2))
    assert same(first, second)
    assert len(computed) == 2
    assert [record.message for record in caplog.records] == [
        f"the free space of scenes is not kept: {users} is not yours or not writable; mend it to start faster"
    ]


@pytest.mark.parametrize("whose", ["another user's", "a link", "everybody's", "an entry of another user"])
def test_what_somebody_else_may_have_put_there_is_not_believed(
    scene: SplatScene,
    computed: list[SplatScene],
    users: Path,
    tmp_path: Path,
    whose: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cached_free_space(scene, VOXEL, BODY)
    beside = scene.source.parent / FOLDER
    if whose == "a link":
        beside.rename(tmp_path / "elsewhere")
        beside.symlink_to(tmp_path / "elsewhere")
    elif whose == "everybody's":
        beside.chmod(0o777)
    else:
        foreign, real = (entry(scene) if "entry" in whose else beside).stat().st_ino, Path.lstat

        def lstat(path: Path) -> os.stat_result:
            found = real(path)
            owner = found.st_uid + (found.st_ino == foreign)
            return os.stat_result((*found[:4], owner, *found[5:]))

        monkeypatch.setattr(Path, "lstat", lstat)
    before = entry(scene).stat().st_mtime_ns
    for _ in range(2):
        cached_free_space(scene, VOXEL, BODY)
    if "entry" in whose:
        assert len(computed) >= 2, "written over with one of one's own"
        return
    assert len(computed) == 2, "the second time from the user's own"
    assert (users / entry(scene).name).is_file()
    assert entry(scene).stat().st_mtime_ns == before


def test_scenes_of_the_project_are_left_alone(
    scene: SplatScene, tmp_path: Path, users: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(scene.source.parent, tmp_path / "config" / "captures")
    monkeypatch.setattr(space_cache, "shared_folder", lambda kind: tmp_path / kind)
    cached_free_space(load_scene(tmp_path / "config" / "captures"), VOXEL, BODY)
    assert not (tmp_path / "config" / "captures" / FOLDER).exists()
    assert len(list(users.glob("*.npz"))) == 1


def test_a_cache_leaves_the_hash_of_an_episode_set_alone(scene: SplatScene, tmp_path: Path) -> None:
    shutil.copytree(scene.source.parent, tmp_path / "scenes" / "room")
    before = content_hash(tmp_path)
    cached_free_space(load_scene(tmp_path / "scenes" / "room"), VOXEL, BODY)
    assert (tmp_path / "scenes" / "room" / FOLDER).is_dir()
    assert content_hash(tmp_path) == before


def test_scenes_that_are_no_files_are_not_kept(
    scene: SplatScene, computed: list[SplatScene], users: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    for source in (Path(), tmp_path / "gone.ply"):
        cached_free_space(replace(scene, source=source), VOXEL, BODY)
    assert len(computed) == 2
    assert sorted(tmp_path.rglob("*")) == before
    assert not users.exists()


def test_a_scene_that_is_a_folder_keeps_its_entries_inside(
    scene: SplatScene, computed: list[SplatScene], tmp_path: Path
) -> None:
    (tmp_path / "arrays").mkdir()
    for _ in range(2):
        cached_free_space(replace(scene, source=tmp_path / "arrays"), VOXEL, BODY)
    assert len(computed) == 1
    assert list((tmp_path / "arrays" / FOLDER).glob("*.npz"))


def test_old_entries_go_when_there_are_too_many(scene: SplatScene) -> None:
    folder = scene.source.parent / FOLDER
    folder.mkdir()
    for number in range(MOST_ENTRIES + 5):
        path = folder / f"{number:032x}.npz"
        path.write_bytes(b"old")
        os.utime(path, (number + 1, number + 1))
    (folder / "notes.txt").write_text("not an entry")
    cached_free_space(scene, VOXEL, BODY)
    names = {path.name for path in folder.glob("*.npz")}
    assert len(names) == MOST_ENTRIES
    assert entry(scene).name in names
    assert f"{MOST_ENTRIES + 4:032x}.npz" in names
    assert f"{0:032x}.npz" not in names
    assert (folder / "notes.txt").is_file()


def test_reading_an_entry_keeps_it_young(scene: SplatScene) -> None:
    cached_free_space(scene, VOXEL, BODY)
    os.utime(entry(scene), (1, 1))
    cached_free_space(scene, VOXEL, BODY)
    assert entry(scene).stat().st_mtime > 10**9
