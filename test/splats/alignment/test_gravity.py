"""Gravity and floor of rooms and captures in any frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples
from turned_rooms import blob, ceiling, sparse_room, table_with_box, turned

from vantage.errors import SceneError
from vantage.splats.alignment.gravity import Alignment, find_alignment
from vantage.splats.formats.clouds import load_cloud
from vantage.splats.upright import axis_of

quaternions = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.2)


def angle(found: Alignment, up: np.ndarray) -> float:
    return float(np.degrees(np.arccos(min(1.0, float(found.up @ up)))))


@settings(max_examples=examples(6), deadline=None)
@given(quaternion=quaternions, unit=st.floats(0.05, 20.0), room=st.integers(1, 3), shift=st.floats(-5, 5))
def test_rooms_in_any_frame_and_unit(quaternion: tuple[float, ...], unit: float, room: int, shift: float) -> None:
    cloud, up, on_floor = turned(sparse_room(room), quaternion, unit, (shift, 2 * shift, -shift))
    found = find_alignment(cloud)
    assert angle(found, up) < 1.0
    assert abs(found.floor - on_floor @ up) / unit < 0.02
    assert found.height / unit == pytest.approx(ceiling(room), abs=0.03)
    assert found.enclosed
    assert found.walls >= 3
    assert found.confidence > 0.8
    upright = cloud.means @ found.rotation.T
    assert np.abs(found.rotation @ found.rotation.T - np.eye(3)).max() < 1e-9
    assert np.percentile(upright[:, 2], 2) / unit >= found.floor / unit - 0.02
    extent = np.ptp(np.percentile(upright, [1, 99], axis=0), axis=0)[:2] / unit
    inner = np.ptp(np.percentile(sparse_room(room).means, [1, 99], axis=0), axis=0)[:2]
    assert sorted(extent) == pytest.approx(sorted(inner), abs=0.1)  # walls along the axes


@settings(max_examples=examples(8), deadline=None)
@given(quaternion=quaternions, seed=st.integers(0, 1000))
def test_a_object_on_a_plate_in_any_frame(quaternion: tuple[float, ...], seed: int) -> None:
    cloud, up, _ = turned(table_with_box(seed), quaternion, 3.0)
    found = find_alignment(cloud, seed=seed)
    assert angle(found, up) < 1.0
    assert abs(found.floor) < 0.03
    assert found.height == pytest.approx(1.8, abs=0.05)
    assert not found.enclosed
    assert found.floor_share > 0.2


def test_the_same_seed_gives_the_same_result() -> None:
    a, b = (find_alignment(table_with_box(), seed=5) for _ in range(2))
    assert np.array_equal(a.rotation, b.rotation)
    assert a.floor == b.floor


def test_a_hint_decides_the_sign() -> None:
    room = sparse_room(1)
    assert find_alignment(room).up @ axis_of("z") > 0.999
    upside_down = find_alignment(room, axis_of("-z"))
    assert upside_down.up @ axis_of("-z") > 0.999
    assert -upside_down.floor == pytest.approx(ceiling(1), abs=0.02)
    on_the_wall = find_alignment(room, np.array([2.0, 0.3, 0.2]))
    assert on_the_wall.up @ axis_of("x") > 0.999


def test_a_hint_without_a_floor_is_taken_as_it_is() -> None:
    found = find_alignment(blob(), axis_of("-y"))
    assert found.up == pytest.approx(axis_of("-y"))
    assert found.floor_share == 0.0
    assert found.confidence == 0.5
    assert found.floor < np.percentile(-blob().means[:, 1], 2)


def test_no_floor_and_no_hint() -> None:
    with pytest.raises(SceneError, match="no floor was found"):
        find_alignment(blob())


@pytest.mark.parametrize(("name", "floor"), [("plant/plant", -0.4612), ("tarot/academic_tarot_cards", -0.4737)])
def test_real_captures(data_folder: Path, name: str, floor: float) -> None:
    found = find_alignment(load_cloud(data_folder / "splats" / f"{name}.splat"))
    assert angle(found, axis_of("-y")) < 1.5
    assert found.floor == pytest.approx(floor, abs=0.01)
    assert found.height == pytest.approx(0.9, abs=0.05)
    assert not found.enclosed
