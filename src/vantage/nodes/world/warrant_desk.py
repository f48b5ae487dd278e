"""Warrants as messages, and where a served world takes them."""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from dataclasses import replace
from typing import Any

from vantage.errors import VantageError, WorldError
from vantage.nodes.runtime import shared_key
from vantage.nodes.world.signed_commands import is_signed
from vantage.recording import Codec, read_time
from vantage.worlds import Gated, Warrant, WarrantError, WarrantFault, World, countersigned


class WarrantDesk:
    """Checks warrants that come from other processes, and grants them to a world. Thread-safe.

    A warrant is signed with the shared key for one session, which ends with this world. So what was heard on the
    network is of no use for another one, even where its clock begins anew.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._session = secrets.token_hex(16)
        self._lock = threading.Lock()
        self._refused: Counter[WarrantFault] = Counter()

    @property
    def refused(self) -> int:
        """How many warrants were refused."""
        with self._lock:
            return sum(self._refused.values())

    def unsigned(self, message: Any, began: int) -> str:
        """Why an ArmCommand may come from anybody, in words; empty where whoever has the key signed it for this world
        and the running episode.

        Args:
            began: stamp of the first look of that episode, ns.
        """
        try:
            if is_signed(message, shared_key(), self._session, began):
                return ""
        except VantageError as error:
            return str(error)
        return f"{WarrantFault.UNSIGNED.value}; send it by a process that has the key of warrants"

    def answer(
        self, codec: Codec, now: int, request: Any, response: Any, episode_id: str = "", holder: str = ""
    ) -> Any:
        """The response of GrantWarrant.

        Args:
            now: stamp of the newest observation, ns.
            episode_id, holder: the running episode and the source that commands it.
        """
        response.episode_id, response.holder = episode_id, holder
        response.session, response.now = self._session, codec.time(now)
        response.has_arm = "arm" in self._world.info.acts
        if not len(request.warrant.signature):
            response.message = "this warrant has no signature; sign it for this session"
            granted = self._world.warrants() if isinstance(self._world, Gated) else ()
            response.active = [warrant_message(codec, replace(warrant, signature=b"")) for warrant, _ in granted]
            response.left = [left for _, left in granted]
            return response
        try:
            warrant = read_warrant(request.warrant)
            self._world.grant(countersigned(warrant, key=shared_key(), session=self._session))
        except WarrantError as error:
            with self._lock:
                self._refused[error.fault] += 1
            response.message, response.fault = str(error), error.fault.name
        except VantageError as error:
            response.message = str(error)
        else:
            response.ok = True
        return response


def warrant_message(codec: Codec, warrant: Warrant) -> Any:
    """As ``read_warrant`` reads it."""
    return codec.make(
        "vantage_eqa/msg/Warrant",
        identity=warrant.identity,
        issuer=warrant.issuer,
        episode_id=warrant.episode_id,
        source=warrant.source,
        goal=warrant.goal,
        manipulations=sorted(warrant.manipulations),
        objects=sorted(warrant.objects),
        commands=warrant.commands,
        issued=codec.time(warrant.issued),
        expires=codec.time(warrant.expires),
        signature=list(warrant.signature),
    )


def require_granted(told: Any) -> None:
    """
    Args:
        told: a response of GrantWarrant.

    Raises:
        WarrantError: the world refuses the warrant; its fault says why.
        WorldError: it was not granted for another reason.
    """
    if told.fault in WarrantFault.__members__:
        fault = WarrantFault[told.fault]
        raise WarrantError(fault, told.message.removeprefix(f"{fault.value}: "))
    if not told.ok:
        raise WorldError(f"the warrant was not granted: {told.message}")


def read_warrant(message: Any) -> Warrant:
    """The warrant of a message, whoever may have signed it."""
    return Warrant(
        message.identity,
        message.issuer,
        message.episode_id,
        message.source,
        message.goal,
        frozenset(message.manipulations),
        frozenset(message.objects),
        int(message.commands),
        read_time(message.issued),
        read_time(message.expires),
        bytes(message.signature),
    )
