"""The steps of a world that is alone."""

from __future__ import annotations

import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.errors import VantageError
from vantage.runs import Job, prepared
from vantage.web.play import bare_steps


def test_motions_of_a_camera_are_timed_and_no_walls(tmp_path_factory, tmp_path):
    folder = small_search_set(tmp_path_factory, FEW)
    job, episode_set = prepared(Job(folder, tmp_path / "out", "splat", "human", SMALL))
    found = bare_steps(job, episode_set)
    assert 10 < len(found) <= 120
    assert min(found) > 0.0
    assert not (tmp_path / "out").exists(), "nothing is recorded"
    with pytest.raises(VantageError, match="nowhere"):
        bare_steps(Job(folder, tmp_path, "nowhere", "human", SMALL), episode_set)
