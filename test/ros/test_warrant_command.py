"""``vantage warrant`` over real DDS: what is granted is shown, and a person grants what no rule forbids."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import arm_world
import pytest
from arm_world import hall_episode
from ros_fixtures import context_on, new_domain, parameters, spinning
from warrants import let

from vantage.cli.main import main
from vantage.config import Settings
from vantage.nodes.world.ros_world import RosWorld, connect
from vantage.nodes.world.world_node import WorldNode
from vantage.types import ArmTarget, Cause, Command, Status

pytestmark = pytest.mark.real_time

EPISODE = hall_episode("e")
LIFT = ArmTarget(joints={"lift": 0.2})

arm_world.register()


def warrant(domain: int, *words: str, keys: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "vantage.cli.main", "warrant", *words]
    environ = {**os.environ, "ROS_DOMAIN_ID": str(domain)}
    return subprocess.run(command, input=keys, env=environ, capture_output=True, text=True, timeout=120.0, check=False)


def lifted(remote: RosWorld, number: int) -> tuple[Status, Cause]:
    told = remote.step(Command(arm=LIFT, episode_id="e", source="planner", sequence=number))
    return told.status, told.cause


@contextmanager
def served(domain: int) -> Iterator[RosWorld]:
    with context_on(domain) as context:
        node = WorldNode(context, parameters(world="arm", camera__width=8, camera__height=6))
        with spinning(context, node):
            remote = connect(Settings().with_values({"run.step_timeout": 30.0}, "test"), context=context)
            try:
                yield remote
            finally:
                remote.close()


def test_a_person_sees_what_is_granted_and_grants_more() -> None:
    domain = new_domain()
    with served(domain) as remote:
        early = warrant(domain, "issue", "--kind", "move", "--object", "mug", "--yes", "--wait", "60")
        assert early.returncode == 2
        assert "no episode is running" in early.stderr
        remote.reset(EPISODE, 0)
        none = warrant(domain, "show", "--wait", "60")
        assert none.returncode == 0, none.stderr
        assert "no warrant: its arm does nothing" in none.stdout
        assert lifted(remote, 1) == (Status.REJECTED, Cause.UNWARRANTED)
        words = ("--kind", "pick", "--object", "mug_7", "--commands", "2", "--seconds", "600", "--wait", "60")
        unasked = warrant(domain, "issue", *words)
        assert unasked.returncode == 2
        assert "give --yes" in unasked.stderr
        assert lifted(remote, 2) == (Status.REJECTED, Cause.UNWARRANTED)
        granted = warrant(domain, "issue", *words, "--yes", "--json")
        assert granted.returncode == 0, granted.stderr
        row = json.loads(granted.stdout)["warrant"]
        assert (row["issuer"], row["source"], row["objects"], row["left"]) == ("person", "planner", ["mug_7"], 2)
        assert lifted(remote, 3)[0] is Status.DONE
        shown = warrant(domain, "show", "--json", "--wait", "60")
        assert shown.returncode == 0, shown.stderr
        told = json.loads(shown.stdout)
        [row] = told["warrants"]
        assert (told["episode_id"], told["source"], row["left"], row["commands"]) == ("e", "planner", 1, 2)
        assert row["goal"] == "pick mug_7"
        assert 0.0 < row["seconds_left"] <= 600.0
        assert "signature" not in row
        assert lifted(remote, 4)[0] is Status.DONE
        assert lifted(remote, 5) == (Status.REJECTED, Cause.UNWARRANTED), "its commands are used up"
        assert json.loads(warrant(domain, "show", "--json", "--wait", "60").stdout)["warrants"] == []
        foreign = warrant(domain, "issue", *words, "--yes", "--source", "somebody")
        assert foreign.returncode == 1
        assert "another source of commands" in foreign.stderr
        let(remote, "e", "planner", remote.observe().stamp, commands=9)
        told = warrant(domain, "show", "--wait", "60").stdout
        assert "9 of 9 commands" in told
        assert "all things" in told


def test_where_no_world_is_it_says_so_and_ends() -> None:
    for words in (("show",), ("issue", "--kind", "open", "--object", "fridge", "--yes")):
        none = warrant(new_domain(), *words, "--wait", "0.5")
        assert none.returncode == 1
        assert "no world offers grant_warrant" in none.stderr
        assert none.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--wait", "--seconds"])
@pytest.mark.parametrize("value", ["1e300", "nan", "inf", "0", "-1", "soon"])
def test_a_time_without_end_is_none(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warrant", "issue", "--kind", "open", "--object", "fridge", "--yes", f"{option}={value}"]) == 2
    assert f"argument {option}: must be" in capsys.readouterr().err
