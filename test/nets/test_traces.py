"""With the same seed, agents give the same commands and answers as they did, in process and over ROS."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from golden_texts import traces
from golden_texts.comparing import line_differences
from golden_texts.holding import check
from golden_texts.plain_messages import in_full
from net_sets import small_search_net
from sampling import REST

CASES = [
    ("search", "splat"),
    pytest.param("coverage", "splat", marks=REST),
    *((agent, traces.BOXES) for agent in traces.AGENTS),
]
OVER_ROS = [("search", "splat"), pytest.param("coverage", traces.BOXES, marks=REST)]


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return traces.make_sets(tmp_path_factory.mktemp("traces"), small_search_net(tmp_path_factory))


Run = Callable[[str, str], tuple[dict[str, str], Path]]


@pytest.fixture(scope="module")
def in_process(sets: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The traces of an agent in a place and the folder of the bags, made once."""

    @cache
    def made(agent: str, place: str) -> tuple[dict[str, str], Path]:
        out = tmp_path_factory.mktemp("in_process")
        return traces.texts(agent, place, sets[place], out), out

    return made


@pytest.mark.parametrize(("agent", "place"), CASES)
def test_agents_act_as_they_did(agent: str, place: str, in_process: Run) -> None:
    net = f"traces/{agent}-{place}"
    check(net, traces.comparable(net, in_process(agent, place)[0]), traces.TOLERANCE)


def test_every_message_is_written_as_it_was(in_process: Run) -> None:
    bags = {f"{agent}-{name}": in_process(agent, traces.BOXES)[1] / name for agent, name in traces.TOLD}
    check("messages", {f"{name}.txt.xz": in_full(bag) for name, bag in bags.items()}, traces.TOLERANCE)


@pytest.mark.needs("ros")
@pytest.mark.parametrize(("agent", "place"), OVER_ROS)
def test_agents_act_alike_over_ros(
    agent: str,
    place: str,
    in_process: Run,
    sets: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ros_fixtures import new_domain

    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    alone, _ = in_process(agent, place)
    over_ros = traces.texts(agent, place, sets[place], tmp_path, ros=True)
    assert sorted(over_ros) == sorted(alone)
    told = [f"{name}: {each}" for name in alone for each in line_differences(alone[name], over_ros[name])]
    assert not told, "\n".join(["in process and over ROS differ:", *told])
