"""Tasks begin where the robot of a world can stand; a camera begins anywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from house_driver import EPISODE, house_settings
from small_errands import miniature_set

from vantage.config import AgentSettings, Settings
from vantage.runs import Job, prepared
from vantage.spatial import Viewpoint


@pytest.mark.needs("house")
def test_a_start_in_the_air_or_in_furniture_comes_to_where_the_robot_stands(tmp_path: Path) -> None:
    from vantage.worlds.house import HouseWorld

    world = HouseWorld(house_settings(tmp_path))
    try:
        free = world.nearest_start("touch", Viewpoint(-1.0, 0.5, 1.2, 0.3, -0.1))
        assert free is not None
        assert (free.x, free.y, free.z, free.yaw) == pytest.approx((-1.0, 0.5, 1.4, 0.3))
        moved = world.nearest_start("touch", Viewpoint(1.2, 0.0, 1.2, 0.3, -3.0))
        assert moved is not None
        assert abs(moved.x - 1.2) + abs(moved.y) > 0.3, "not in the table"
        world.reset(replace(EPISODE, start=moved), 0)
    finally:
        world.close()


@pytest.mark.needs("house")
def test_tasks_of_a_set_begin_there_and_in_splats_where_they_did(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    made = miniature_set(tmp_path_factory)
    settings = replace(Settings(), agent=AgentSettings(name="doer"))
    _, in_splats = prepared(Job(made, tmp_path / "splat", "splat", "doer", settings))
    _, in_house = prepared(Job(made, tmp_path / "house", "house", "doer", settings))
    before = {each.episode_id: each for each in in_splats.episodes}
    assert [each.episode_id for each in in_house.episodes] == list(before)
    assert {each.start.z for each in in_house.episodes} == {1.4}
    assert all(each.questions == before[each.episode_id].questions for each in in_house.episodes)
