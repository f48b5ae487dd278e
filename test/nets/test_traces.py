"""With the same seed, agents give the same commands and answers as they did, in process and over ROS."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from golden_texts import traces
from golden_texts.comparing import line_differences
from golden_texts.holding import check

CASES = [(agent, place) for place in traces.PLACES for agent in traces.AGENTS]
OVER_ROS = [("search", "splat"), ("coverage", traces.BOXES)]


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return traces.make_sets(tmp_path_factory.mktemp("traces"))


@pytest.fixture(scope="module")
def in_process(sets: dict[str, Path], tmp_path_factory: pytest.TempPathFactory):
    """The traces of an agent in a place, made once."""

    @cache
    def made(agent: str, place: str) -> dict[str, str]:
        return traces.texts(agent, place, sets[place], tmp_path_factory.mktemp("in_process"))

    return made


@pytest.mark.parametrize(("agent", "place"), CASES)
def test_agents_act_as_they_did(agent: str, place: str, in_process) -> None:
    net = f"traces/{agent}-{place}"
    check(net, traces.comparable(net, in_process(agent, place)), traces.TOLERANCE)


@pytest.mark.needs("ros")
@pytest.mark.parametrize(("agent", "place"), OVER_ROS)
def test_agents_act_alike_over_ros(
    agent: str,
    place: str,
    in_process,
    sets: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ros_fixtures import new_domain

    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    alone, over_ros = in_process(agent, place), traces.texts(agent, place, sets[place], tmp_path, ros=True)
    assert sorted(over_ros) == sorted(alone)
    told = [f"{name}: {each}" for name in alone for each in line_differences(alone[name], over_ros[name])]
    assert not told, "\n".join(["in process and over ROS differ:", *told])
