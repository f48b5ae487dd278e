"""Compiled homes are kept whole or not at all."""

import mujoco
import numpy as np
import pytest
from bare_rooms import box, cabinet, room, thing

from vantage.worlds.house import build_house, code_stamp
from vantage.worlds.house.bodies import model_cache
from vantage.worlds.house.looks import page_cache

pytestmark = pytest.mark.needs("house")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "vantage" / "house_models"


def home(x=0.0):
    stuck = thing(12, [box(0, 0, 0, 0.1, 0.1, 0.1)], (0.0, 0.0, 0.25))
    return room(cabinet(10), thing(11, [box(0, 0, 0, 0.1, 0.1, 0.1)], (x, 1.0, 0.0)), stuck)


def same(one, other):
    return (
        one.parts == other.parts
        and one.movable == other.movable
        and one.conflicts == other.conflicts
        and np.array_equal(one.instance_of_geom, other.instance_of_geom)
        and np.array_equal(one.id_of_geom, other.id_of_geom)
        and np.array_equal(one.model.qpos0, other.model.qpos0)
        and np.array_equal(one.model.tree_sleep_policy, other.model.tree_sleep_policy)
        and np.array_equal(states(one), states(other))
    )


def states(house):
    data = mujoco.MjData(house.model)
    data.qfrc_applied[0] = 5.0
    mujoco.mj_step(house.model, data, 50)
    return np.concatenate([data.qpos, data.qvel])


def test_a_kept_home_is_the_same(folder):
    made, kept, anew = (build_house(home(), appearance=False, keep=keep) for keep in (True, True, False))
    assert len(list(folder.glob("*.mjb"))) == 1
    assert same(made, kept)
    assert same(made, anew)


def test_other_homes_and_settings_have_entries_of_their_own(folder):
    build_house(home(), appearance=False)
    build_house(home(0.5), appearance=False)
    build_house(home(), appearance=False, asleep=False)
    assert len(list(folder.glob("*.mjb"))) == 3


@pytest.mark.parametrize("suffix", [".mjb", ".json"])
@pytest.mark.parametrize("harm", ["cut", "changed", "gone", "shared"])
def test_what_is_damaged_is_made_anew(folder, suffix, harm):
    made = build_house(home(), appearance=False)
    (file,) = folder.glob(f"*{suffix}")
    content = file.read_bytes()
    if harm == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif harm == "changed":
        file.write_bytes(content[:100] + bytes([content[100] ^ 255]) + content[101:])
    elif harm == "gone":
        file.unlink()
    else:
        file.chmod(0o666)
    assert same(made, build_house(home(), appearance=False))
    assert (file.read_bytes(), file.stat().st_mode & 0o2) == (content, 0)


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, monkeypatch):
    (tmp_path / "vantage").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert build_house(home(), appearance=False).movable == {11: "object/11"}


def test_what_other_code_made_is_made_anew(folder, monkeypatch):
    build_house(home(), appearance=False)
    key = page_cache.cache_key(home())
    monkeypatch.setattr(model_cache, "code_stamp", lambda: "other")
    monkeypatch.setattr(page_cache, "code_stamp", lambda: "other")
    build_house(home(), appearance=False)
    assert len(list(folder.glob("*.mjb"))) == 2
    assert page_cache.cache_key(home()) != key


def test_every_change_of_code_counts(tmp_path):
    assert all(list(folder.glob("*.py")) for folder in code_stamp.SOURCES)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one.py").write_text("1")
    stamp = code_stamp.stamp_of((tmp_path,))
    (tmp_path / "inner" / "one.py").write_text("2")
    assert code_stamp.stamp_of((tmp_path,)) != stamp


@pytest.mark.parametrize("lot", ["light_seed", "texture_seed"])
def test_homes_whose_looks_come_from_a_lot_are_not_kept(folder, lot):
    build_house(home(), appearance=False, **{lot: 3})
    assert not folder.exists()
