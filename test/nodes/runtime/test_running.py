"""Who is reached: this machine alone unless the user's environment asks for the network."""

from __future__ import annotations

from pathlib import Path

import pytest

from vantage.nodes.runtime.running import discovery_environment

RANGE, ONLY = "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY"
OWN = {"FASTDDS_DEFAULT_PROFILES_FILE": "mine.xml"}


def outcome(environ: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The name of the profile that holds, and the environment of discovery."""
    after = dict(environ)
    for name, value in discovery_environment(environ).items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = value
    names = {Path(after[name]).name for name in after if name.endswith("_PROFILES_FILE")}
    assert len(names) <= 1, "Fast DDS 2 and 3 read the same file"
    return "".join(names), {name: after[name] for name in (RANGE, ONLY) if name in after}


@pytest.mark.parametrize(
    ("environ", "range_"),
    [
        ({}, "SYSTEM_DEFAULT"),
        ({RANGE: "LOCALHOST"}, "SYSTEM_DEFAULT"),
        ({RANGE: ""}, "SYSTEM_DEFAULT"),
        ({RANGE: "OFF"}, "OFF"),
        ({RANGE: "OFF", "ROS_STATIC_PEERS": "10.0.0.7"}, "OFF"),
        ({ONLY: "1"}, "SYSTEM_DEFAULT"),
        ({ONLY: "1", RANGE: "SUBNET", "ROS_STATIC_PEERS": "10.0.0.7"}, "SYSTEM_DEFAULT"),
        ({ONLY: "0", RANGE: "LOCALHOST"}, "SYSTEM_DEFAULT"),
        ({"RMW_IMPLEMENTATION": "rmw_fastrtps_dynamic_cpp"}, "SYSTEM_DEFAULT"),
    ],
)
def test_this_machine_alone(environ: dict[str, str], range_: str) -> None:
    profile, discovery = outcome(environ)
    assert profile == "fastdds.xml"
    assert discovery == {RANGE: range_}, "the profile says where; rmw_fastrtps would add a transport open to all"


@pytest.mark.parametrize(
    ("environ", "discovery"),
    [
        ({RANGE: "SUBNET"}, {RANGE: "SUBNET"}),
        ({RANGE: "SYSTEM_DEFAULT"}, {RANGE: "SYSTEM_DEFAULT"}),
        ({ONLY: "0"}, {ONLY: "0"}),
        ({ONLY: "0", RANGE: "SUBNET"}, {ONLY: "0", RANGE: "SUBNET"}),
        ({"ROS_STATIC_PEERS": "10.0.0.7"}, {RANGE: "LOCALHOST"}),
        ({"ROS_STATIC_PEERS": "10.0.0.7", RANGE: "LOCALHOST"}, {RANGE: "LOCALHOST"}),
        ({"ROS_DISCOVERY_SERVER": "10.0.0.7:11811"}, {}),
    ],
)
def test_the_network(environ: dict[str, str], discovery: dict[str, str]) -> None:
    assert outcome(environ) == ("fastdds_network.xml", discovery)


def test_a_profile_of_ones_own_decides() -> None:
    assert discovery_environment(OWN) == {}
    assert discovery_environment({"FASTRTPS_DEFAULT_PROFILES_FILE": "mine.xml", RANGE: "OFF"}) == {}


def test_other_middlewares_and_transports_keep_to_this_machine_by_the_range() -> None:
    for environ in ({"RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp"}, {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}):
        assert discovery_environment(environ) == {RANGE: "LOCALHOST"}
        assert discovery_environment({**environ, RANGE: "SUBNET"}) == {}
        assert discovery_environment({**environ, ONLY: "0"}) == {}


def test_a_process_started_by_a_process_of_nodes_finds_all_settled() -> None:
    for environ in ({}, {RANGE: "SUBNET"}, {ONLY: "1"}):
        settled = {**environ, **{name: value for name, value in discovery_environment(environ).items() if value}}
        assert discovery_environment(settled) == {}
