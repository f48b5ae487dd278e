"""The bench of a table of runs, on few bags."""

from __future__ import annotations

import pytest
from gold_bags import Telling, gold, record, said
from small_room import small_room

from vantage.bench import bench_table, bench_timeline, many_bags
from vantage.recording import find_bags, read_recording
from vantage.splats import save_scene
from vantage.splats.rendering import make_renderer

pytestmark = pytest.mark.needs("web")


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    return record(tmp_path_factory.mktemp("one"), "e1", Telling(("x+", "yaw+"), said("red"), (0,)), gold())[0]


def test_copies_of_a_bag_are_whole_bags_that_share_its_bytes(bag, tmp_path):
    many_bags(bag, 3, tmp_path)
    complete, partial = find_bags(tmp_path)
    assert (len(complete), partial) == (3, [])
    assert {read_recording(each).verified for each in complete} == {True}
    file = next(bag.glob("*.mcap"))
    assert all(next(each.glob("*.mcap")).samefile(file) for each in complete)


@pytest.mark.usefixtures("browser")
def test_steps_go_there_and_back_however_short_the_episode_is(bag, tmp_path):
    cloud, graph = small_room()
    save_scene(tmp_path / "scenes" / "field", None, graph, cloud)
    found = bench_timeline(bag, tmp_path / "scenes", lambda: make_renderer("cpu", 1), 5)  # of three steps
    assert found["n"] == 5
    assert 0 < found["median_ms"] <= found["max_ms"]


@pytest.mark.usefixtures("browser")
def test_a_table_is_timed_until_it_is_full_and_once_it_is_known(bag, tmp_path):
    found = bench_table(bag, 6, lambda: make_renderer("cpu", 1), tmp_path)
    assert found["bags"] == 6
    assert 0 < found["usable_s"] <= found["filled_s"] + 0.1
    assert found["again_s"] > 0
    assert len(list((tmp_path / "cache").glob("*.json"))) == 1
