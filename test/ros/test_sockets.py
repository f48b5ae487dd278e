"""What sockets a process of nodes opens, and who can still talk with it."""

from __future__ import annotations

import ipaddress
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from rclpy.node import Node
from ros_fixtures import context_on, eventually, new_domain, spinning
from std_msgs.msg import String

pytestmark = pytest.mark.real_time

TALKER = """
import sys, time
from rclpy.node import Node
from std_msgs.msg import String
from vantage.nodes.runtime.running import Spinner, ros_context
with ros_context([]) as context:
    node = Node("talker", context=context)
    publisher = node.create_publisher(String, "words", 10)
    node.create_subscription(String, "echo", lambda message: publisher.publish(message), 10)
    spinner = Spinner([node], context)
    print("up", flush=True)
    sys.stdin.read()
    spinner.close()
"""
STRANGER = """
import sys
import rclpy
from rclpy.node import Node
from std_msgs.msg import String
rclpy.init()
node = Node("stranger")
heard = []
node.create_subscription(String, "words", heard.append, 10)
publisher = node.create_publisher(String, "echo", 10)
while not heard:
    publisher.publish(String(data="x" * 1000))
    rclpy.spin_once(node, timeout_sec=0.1)
node.destroy_node()
rclpy.shutdown()
"""
NAMES = ("ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY", "ROS_STATIC_PEERS")


def environment(**settings: str) -> dict[str, str]:
    """Of a shell in which nobody has said anything about discovery but these settings."""
    plain = {key: value for key, value in os.environ.items() if key not in NAMES and "PROFILES_FILE" not in key}
    return plain | settings


@contextmanager
def talker(domain: int, **settings: str) -> Iterator[int]:
    """The id of a process with nodes that has made its sockets."""
    process = subprocess.Popen(
        [sys.executable, "-c", TALKER],
        env=environment(ROS_DOMAIN_ID=str(domain), **settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        yield process.pid
        process.communicate(timeout=30)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait(10)


def addresses(pid: int) -> list[str]:
    """To which the UDP and TCP sockets of a process are bound."""
    links = []
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.append(os.readlink(descriptor))
        except FileNotFoundError:  # closed meanwhile
            continue
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    found = []
    for protocol in ("udp", "tcp", "udp6", "tcp6", "udplite", "raw"):
        table = Path(f"/proc/{pid}/net/{protocol}")
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            fields = line.split()
            if fields[9] in inodes:
                words = bytes.fromhex(fields[1].split(":")[0])
                host = b"".join(words[at : at + 4][::-1] for at in range(0, len(words), 4))  # as x86 stores them
                found.append(str(ipaddress.ip_address(host)))
    return found


@pytest.mark.parametrize("settings", [{}, {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}, {"ROS_LOCALHOST_ONLY": "1"}])
def test_sockets_are_bound_to_loopback(settings: dict[str, str]) -> None:
    with talker(new_domain(), **settings) as pid:
        found = addresses(pid)
        assert len(found) >= 3, "discovery, data and sending"
        assert {ipaddress.ip_address(item).is_loopback for item in found} == {True}, found


@pytest.mark.parametrize(
    "settings",
    [{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}, {"ROS_LOCALHOST_ONLY": "0"}, {"ROS_STATIC_PEERS": "192.0.2.77"}],
)
def test_one_setting_opens_them(settings: dict[str, str]) -> None:
    with talker(new_domain(), **settings) as pid:
        assert "0.0.0.0" in addresses(pid)


@pytest.mark.parametrize("settings", [{}, {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}])
def test_ros_tools_of_the_same_machine_still_talk_with_them(settings: dict[str, str]) -> None:
    """A process that knows nothing of the project, as ``ros2 topic echo``; with and without shared memory."""
    domain = new_domain()
    with talker(domain):
        stranger = subprocess.run(
            [sys.executable, "-c", STRANGER],
            env=environment(ROS_DOMAIN_ID=str(domain), **settings),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert stranger.returncode == 0, stranger.stderr


def test_many_processes_of_one_domain_find_each_other() -> None:
    """Each participant counts as a process does; 34 of them, more than rmw_fastrtps looks for by itself."""
    domain, many = new_domain(), 34
    with ExitStack() as stack:
        nodes = []
        for number in range(many):
            context = stack.enter_context(context_on(domain))
            nodes.append(Node(f"node_{number}", context=context))
            stack.callback(nodes[-1].destroy_node)
        heard: list[str] = []
        last, other = nodes[-1], nodes[-2]
        last.create_subscription(String, "words", lambda message: heard.append(message.data), 10)
        publisher = other.create_publisher(String, "words", 10)
        eventually(lambda: all(len(node.get_node_names()) == many for node in nodes), 60.0)
        with spinning(last.context, last):
            eventually(lambda: publisher.get_subscription_count() == 1)
            publisher.publish(String(data="here"))
            eventually(lambda: heard == ["here"])
