"""A client that sees which warrants a running world holds, and has a person's granted."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from vantage_eqa.srv import GrantWarrant

from vantage.errors import WorldError
from vantage.nodes.runtime import RclpyFactory, Spinner, on_executor, ros_context, shared_key
from vantage.nodes.world.warrant_desk import read_warrant, require_granted, warrant_message
from vantage.recording import Codec, read_time
from vantage.worlds import Warrant, countersigned


@dataclass(frozen=True)
class Granted:
    """What a world tells of its warrants.

    Attributes:
        session: of the world, for which warrants are signed.
        episode_id: that is running; empty for none.
        holder: source that commands it; empty where nobody did yet.
        now: on the world's clock, ns.
        has_arm: whether it has anything that takes a warrant.
        warrants: that may still be used, without their signatures, and how many commands each of them still allows.
    """

    session: str
    episode_id: str
    holder: str
    now: int
    has_arm: bool
    warrants: tuple[tuple[Warrant, int], ...]


class WarrantClient:
    """Asks the world of a graph; every wait has a deadline.

    Args:
        seconds: for a world to be found, and for each answer.
    """

    def __init__(self, context: Context, seconds: float) -> None:
        self._seconds = seconds
        self._codec = Codec(RclpyFactory())
        self._node = Node("vantage_warrant", context=context)
        self._service = self._node.create_client(GrantWarrant, "grant_warrant")
        self._spinner = Spinner([self._node], context)

    def close(self) -> None:
        self._spinner.close()

    def granted(self) -> Granted:
        """
        Raises:
            WorldError: no world answers, or it is not active.
        """
        told = self._asked(GrantWarrant.Request())
        if not told.session:
            raise WorldError(f"the world tells nothing of warrants: {told.message}")
        pairs = zip(map(read_warrant, told.active), map(int, told.left), strict=True)
        return Granted(
            told.session, told.episode_id, told.holder, read_time(told.now), bool(told.has_arm), tuple(pairs)
        )

    def grant(self, warrant: Warrant, session: str) -> None:
        """Have a warrant of this process granted.

        Raises:
            WarrantError: the world refuses it; its fault says why.
            WorldError: no world answers.
            ConfigError: the shared key cannot be used.
        """
        message = warrant_message(self._codec, countersigned(warrant, by=shared_key(), into=session))
        told = self._asked(GrantWarrant.Request(warrant=message))
        require_granted(told)

    def _asked(self, request: Any) -> Any:
        ends = time.monotonic() + self._seconds
        if not self._service.wait_for_service(timeout_sec=self._seconds):
            domain = self._node.context.get_domain_id()
            raise WorldError(
                f"no world offers grant_warrant on ROS_DOMAIN_ID {domain} within {self._seconds:g} s; start one with "
                "'vantage up'"
            )
        done = threading.Event()
        left = max(0.0, ends - time.monotonic())
        future = on_executor(self._node, lambda: self._service.call_async(request), left)
        future.add_done_callback(lambda _: done.set())
        if not done.wait(max(0.0, ends - time.monotonic())):
            raise WorldError(f"grant_warrant was not answered within {self._seconds:g} s; is world_node alive?")
        return future.result()


@contextmanager
def open_warrant_client(seconds: float, domain_id: int | None = None) -> Iterator[WarrantClient]:
    """A client of the world on this domain, until the block ends."""
    with ros_context([], domain_id) as context:
        client = WarrantClient(context, seconds)
        try:
            yield client
        finally:
            client.close()
