"""Hostile commands for arms against the graph as processes: nothing is moved, and forged warrants gain nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_set import room_set
from ros_fixtures import context_on

from vantage.bench import repeated, small_pictures
from vantage.cli.bench_faults import PARTS
from vantage.config import Settings
from vantage.nodes.bench.hostile_arms import bench_hostile_arms, moved_between
from vantage.types import Poses

ZERO = PARTS["arms"].zero


def attacked(world: str, folder: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> dict[str, Any]:
    """What the campaign counts; the rulings on texts have tests of their own."""
    episodes = repeated(room_set(folder / "set"), folder / "more", 12).folder
    with context_on() as context:
        monkeypatch.setenv("ROS_DOMAIN_ID", str(context.get_domain_id()))
        settings, worlds = small_pictures(Settings()), (world,)
        return bench_hostile_arms(
            settings, episodes, folder / "graph", context, count, 1, lambda text: None, worlds, robots=()
        )


def require_nothing_moved(found: dict[str, Any], world: str, count: int) -> None:
    assert found["commands"] == found["refused"] == count
    assert found["by_world"][world]["permits"] > 0, "the planner held no warrant amid its episodes"
    assert found["by_world"][world]["cause unwarranted"] > count // 4
    assert found["by_world"][world]["amid reset"] > 0
    assert found["disturbed"] == found["episodes"] > 0
    assert {name: found[name] for name in ZERO} == dict.fromkeys(ZERO, 0)
    assert found["episode_after"] is True


@pytest.mark.parametrize("count", [30, pytest.param(120, marks=pytest.mark.needs("time"))])
def test_hostile_commands_move_nothing_in_a_splat_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    require_nothing_moved(attacked("splat", tmp_path, monkeypatch, count), "splat", count)


@pytest.mark.needs("house")
@pytest.mark.needs("time")
def test_hostile_commands_move_nothing_in_a_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_nothing_moved(attacked("house", tmp_path, monkeypatch, 60), "house", 60)


def test_what_was_moved_is_counted() -> None:
    there, away = np.eye(4), np.eye(4)
    away[0, 3] = 0.01
    before = Poses({1: there, 2: there}, {(3, "door"): 0.0}, {4: False}, 0)
    assert moved_between(before, before) == 0
    after = Poses({1: away, 2: there}, {(3, "door"): 0.5}, {4: True}, 2)
    assert moved_between(before, after) == 4
    assert moved_between(before, Poses({1: there}, {}, {}, 0)) == 2
