"""Whether nodes are reached from this machine alone or over the network, and the profile of Fast DDS that makes it so.

By default sockets are bound to the loopback interface. ``ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET`` opens them, and so does
whatever else of ROS only makes sense with a network: ``ROS_STATIC_PEERS``, ``ROS_DISCOVERY_SERVER``,
``ROS_LOCALHOST_ONLY=0`` or a profile of one's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from vantage.files import shared_folder

RANGE, LOCALHOST_ONLY = "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY"
PEERS, SERVER = "ROS_STATIC_PEERS", "ROS_DISCOVERY_SERVER"
# The name that Fast DDS reads changed with version 3; other middlewares read neither.
PROFILES = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_RCLPY_OF_FASTDDS_3 = 9
_NEAR = ("LOCALHOST", "OFF")


def profile_names() -> tuple[str, ...]:
    """The variables that the installed Fast DDS reads; version 3, which came with rclpy 9, warns of the other one."""
    try:
        return PROFILES[:1] if int(version("rclpy").partition(".")[0]) >= _RCLPY_OF_FASTDDS_3 else PROFILES
    except (PackageNotFoundError, ValueError):
        return PROFILES


def discovery_environment(environ: Mapping[str, str], names: Sequence[str] = PROFILES) -> dict[str, str | None]:
    """What to change in the environment before a context is made; None for variables to take away.

    Args:
        names: of the variables that name a profile.

    Raises:
        ConfigError: the profiles are not part of this installation.
    """
    if any(environ.get(name) for name in PROFILES):
        return {}
    middleware = environ.get("RMW_IMPLEMENTATION") or "rmw_fastrtps_cpp"
    if not middleware.startswith("rmw_fastrtps") or environ.get(TRANSPORTS):
        return {} if RANGE in environ or LOCALHOST_ONLY in environ else {RANGE: "LOCALHOST"}
    if not wants_network(environ):
        # The range OFF only counts participants; LOCALHOST would have rmw_fastrtps add a transport that is open to all.
        alone = environ.get(RANGE) == "OFF" and environ.get(LOCALHOST_ONLY) != "1"
        return {RANGE: "OFF" if alone else "SYSTEM_DEFAULT", LOCALHOST_ONLY: None, **_profile("fastdds.xml", names)}
    near = RANGE not in environ and LOCALHOST_ONLY not in environ and not environ.get(SERVER)
    return {
        **({RANGE: "LOCALHOST"} if near else {}),
        **_profile("fastdds_network.xml", names),
    }  # near: and the static peers


def wants_network(environ: Mapping[str, str]) -> bool:
    """Whether the user's environment asks for more than this machine."""
    if environ.get(LOCALHOST_ONLY) == "1":
        return False
    default = "SUBNET" if LOCALHOST_ONLY in environ else "LOCALHOST"
    chosen = environ.get(RANGE) or default
    if chosen == "OFF":
        return False
    return chosen not in _NEAR or bool(environ.get(PEERS) or environ.get(SERVER))


def _profile(name: str, names: Sequence[str]) -> dict[str, str | None]:
    return dict.fromkeys(names, str(shared_folder("config") / name))
