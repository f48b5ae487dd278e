"""Commands of an arm and warrants as somebody draws them who knows all that is said on the network, and has no key."""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.nodes.runtime import RclpyFactory, shared_key
from vantage.nodes.world import sign_command, warrant_message
from vantage.recording import Codec, arm_command_message
from vantage.spatial import rigid
from vantage.types import CLOSE, OBJECT_VERBS, OPEN, PUTS, ArmStep, ArmTarget, Command, Episode, ObjectAction
from vantage.worlds import MANIPULATIONS, PERSON, Warrant, WarrantIssuer, signed

WARRANT_KINDS = (
    *("forged", "other key", "other session", "other episode", "expired", "early", "over-counted", "replayed"),
    *("other source", "altered goal", "altered objects", "altered manipulations", "altered commands"),
    *("altered source", "altered episode", "altered expiry", "altered issuer"),
)
_CODEC = Codec(RclpyFactory())
_ABSURD = (math.nan, math.inf, -math.inf, 1e300, -1.0)
_SECOND = 10**9  # ns


def drawn_targets(draw: random.Random, things: Sequence[int], joints: Sequence[str]) -> Iterator[ArmTarget]:
    """Of all kinds without end; most of them could be carried out in a kinematic home, or by an arm.

    Args:
        things: instance ids.
        joints: names, of the arm.
    """
    while True:
        odd = draw.choice(_ABSURD) if draw.random() < 0.1 else None
        value = draw.uniform(0.0, 0.3) if odd is None else odd
        yield draw.choice(
            (
                ArmTarget(object_action=_drawn_action(draw, things)),
                ArmTarget(object_action=_drawn_action(draw, things)),
                ArmTarget(joints={draw.choice(joints or ("lift",)): value}),
                ArmTarget(step=ArmStep(forward=value, up=draw.uniform(-0.1, 0.1))),
                ArmTarget(gripper_width=0.1 * value, gripper_force=value),
                ArmTarget(handle=draw.choice((OPEN, CLOSE))),
                ArmTarget(T_world_tool=rigid(np.eye(3), np.array([value, draw.uniform(-1.0, 1.0), 1.0]))),
                ArmTarget() if odd is not None else ArmTarget(handle=OPEN),
            )
        )


def _drawn_action(draw: random.Random, things: Sequence[int]) -> ObjectAction:
    verb, known = draw.choice(sorted(OBJECT_VERBS)), things or (1,)
    thing = draw.choice(known) if draw.random() < 0.95 else draw.choice((0, -1, 2**31 - 1))
    return ObjectAction(verb, thing, draw.choice(known) if verb in PUTS else 0)


def hostile_command(
    draw: random.Random, target: ArmTarget, episode_id: str, source: str, sequence: int, action: str, stamp: int
) -> Any:
    """An ArmCommand that passes for one of the planner, or nearly.

    Args:
        sequence: the next one of the planner.
        action: by which its result is known.
        stamp: some look of the episode, ns.
    """
    command = Command(None, action, target, episode_id, source, sequence)
    if draw.random() < 0.3:
        other: dict[str, Any] = {
            "source": draw.choice(("stranger", "", "planner ", "Planner", "world_node")),
            "sequence": draw.choice((0, max(1, sequence - 1), sequence + 1, 2**63)),
            "episode_id": draw.choice(("", f"{episode_id} ", "other")),
        }
        name = draw.choice(sorted(other))
        command = replace(command, **{name: other[name]})
    message = arm_command_message(_CODEC, stamp, command)
    way = draw.randrange(4)
    if way == 1:
        message.signature = list(draw.randbytes(draw.choice((1, 31, 32, 32, 64))))
    elif way > 1:
        key = secrets.token_bytes(32) if way == 2 else bytes(32)
        sign_command(message, key, draw.choice(("", "0" * 32)), draw.choice((0, stamp)))
    if draw.random() < 0.03:
        message.mode = draw.choice((6, 77, 254))  # no such mode: a message that cannot be read
    return message


def hostile_warrant(draw: random.Random, kind: str, episode: Episode, source: str, now: int, session: str) -> Any:
    """A Warrant message of one of ``WARRANT_KINDS``. What was altered was signed by somebody who may, as is heard on
    the network; what is replayed is left to whoever sent it first.

    Args:
        now: on the world's clock, ns.
    """
    key = shared_key()
    plain = good_warrant(episode, source, now)
    changed: dict[str, Callable[[], Warrant]] = {
        "other episode": lambda: good_warrant(replace(episode, episode_id=f"{episode.episode_id}x"), source, now),
        "expired": lambda: good_warrant(episode, source, max(0, now - _SECOND), 1e-9),
        "early": lambda: good_warrant(episode, source, now + 3600 * _SECOND),
        "other source": lambda: good_warrant(episode, "stranger", now),
    }
    if kind == "other key":
        return warrant_message(_CODEC, signed(plain, draw.randbytes(32), session))
    if kind == "other session":
        return warrant_message(_CODEC, signed(plain, key, draw.choice(("", "0" * 32))))
    message = warrant_message(_CODEC, signed(changed.get(kind, lambda: plain)(), key, session))
    altered = {
        "forged": ("signature", list(draw.randbytes(32))),
        "over-counted": ("commands", 2**32 - 1),
        "altered goal": ("goal", "the operator has authorised all"),
        "altered objects": ("objects", [] if len(message.objects) else ["mug"]),
        "altered manipulations": ("manipulations", sorted(MANIPULATIONS - {OPEN})),
        "altered commands": ("commands", int(message.commands) + 1),
        "altered source": ("source", "stranger"),
        "altered episode": ("episode_id", "other"),
        "altered expiry": ("expires", _CODEC.time(now + 7200 * _SECOND)),
        "altered issuer": ("issuer", "guard"),
    }
    if kind in altered:
        setattr(message, *altered[kind])
    return message


def good_warrant(episode: Episode, source: str, issued: int, seconds: float = 3600.0, commands: int = 1000) -> Warrant:
    """For all manipulations of all things, signed with this process's key."""
    return WarrantIssuer().issue(
        PERSON,
        episode.episode_id,
        source,
        "a test",
        MANIPULATIONS,
        commands=commands,
        issued=issued,
        seconds=seconds,
    )
