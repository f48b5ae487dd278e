"""The bench of the house runs, and says what it promises to."""

import pytest

from vantage.bench import bench_house_step, house_step
from vantage.config import Settings
from vantage.errors import UsageError

pytestmark = pytest.mark.needs("house")


def test_it_measures_world_and_bare_mujoco_in_one_run(monkeypatch):
    monkeypatch.setattr(house_step, "CASES", {"unrendered": "none"})
    found = bench_house_step(Settings(), steps=6, workers=1, rooms=(1,))
    row = found["rooms_1"]["unrendered"]
    assert row["steps_per_second"] > 0
    assert row["bare_steps_per_second"] > 0
    assert -1.0 < row["overhead"] < 20.0
    assert found["load_s"] > 0
    assert found["memory_mb"] > 10
    assert found["size"] == [800, 600]
    assert set(found["bounds"]["rooms_4"]) == {"rgb", "perceived", "unrendered"}


def test_generated_homes_leave_no_room_for_a_scene():
    from vantage.cli.main import build_parser

    arguments = build_parser().parse_args(["bench", "step", "--world", "house", "--scene", "x"])
    with pytest.raises(UsageError, match="leave out --scene"):
        arguments.run(arguments)
