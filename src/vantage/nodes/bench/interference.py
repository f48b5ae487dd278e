"""Episodes disturbed by an intruder on the network: whether they are reported, or scored as if they were valid."""

from __future__ import annotations

import math
import random
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.node import Node

from vantage.config import Settings
from vantage.errors import VantageError
from vantage.nodes.bench.graph_processes import Caller, Graph, graph
from vantage.nodes.graph import Client
from vantage.nodes.runtime import RclpyFactory, advertise, interface
from vantage.recording import ANSWER, COMMAND_RESULT, EPISODE, SOURCE, Codec
from vantage.reports import score_bag
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, EpisodeState, Status

KINDS = ("reset", "finished", "result", "nan", "answer")
_STEPS = 3  # of an episode within which the stranger acts
_DEADLINE = 120.0  # s of one episode


class _Intruder(Node):
    """Publishes on topics that belong to the nodes of the graph."""

    def __init__(self, context: Context, caller: Caller) -> None:
        super().__init__("bench_stranger", context=context)
        self._caller, self._codec = caller, Codec(RclpyFactory())
        self._out = {topic: advertise(self, topic) for topic in (EPISODE, COMMAND_RESULT, ANSWER)}

    def disturb(self, kind: str, episode: Episode, step: int) -> None:
        if kind == "reset":
            request = interface("vantage_eqa/srv/ResetWorld").Request()
            request.episode = self._codec.episode(0, episode, EpisodeState.PENDING)
            request.episode.episode_id = "strange"
            self._caller.call("vantage_eqa/srv/ResetWorld", "reset_world", request)
        elif kind == "finished":
            self._out[EPISODE].publish(self._codec.episode(0, episode, EpisodeState.FINISHED, commands_sent=step))
        elif kind == "answer":
            message = interface(ANSWER.type)(episode_id=episode.episode_id, text="strange", confidence=1.0)
            message.question_id = episode.questions[0].question_id
            self._out[ANSWER].publish(message)
        else:
            self._out[COMMAND_RESULT].publish(self._result(kind, episode, step))

    def _result(self, kind: str, episode: Episode, step: int) -> Any:
        at = math.nan if kind == "nan" else 1e3
        return self._codec.make(
            COMMAND_RESULT.type,
            header=self._codec.header(0),
            episode_id=episode.episode_id,
            source=SOURCE,
            sequence=step + 1,
            action=Command(episode.start, "x+").action,
            status=int(Status.DONE),
            reason="",
            reached=self._codec.viewpoint(Viewpoint(at, 0.0, 1.0, 0.0, 0.0)),
            observation_stamp=self._codec.time(0),
        )


@dataclass(frozen=True)
class _Disturbed:
    kind: str
    state: str
    scored: bool
    reason: str


def bench_interference(
    settings: Settings,
    episodes: Path,
    folder: Path,
    context: Context,
    count: int,
    seed: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Disturb so many episodes, each once and amid its steps, and see what its bag is scored as.

    ``interference`` counts disturbed episodes that were scored; ``too_late`` those that ended by themselves before the
    stranger spoke, which do not count.
    """
    draw, found, done = random.Random(seed), Counter[str](), list[_Disturbed]()
    with graph(settings, episodes, "coverage", folder, context) as (made, caller):
        stranger = _Intruder(context, caller)
        try:
            for number in range(count):
                kind = KINDS[number % len(KINDS)]
                outcome = _one(made, stranger, kind, number, draw, context, folder / "bags")
                found[outcome if isinstance(outcome, str) else "disturbed"] += 1
                if isinstance(outcome, _Disturbed):
                    done.append(outcome)
                    found["scored"] += outcome.scored
                say(f"interference {number + 1}/{count}: {kind}, {outcome}")
        finally:
            stranger.destroy_node()
        tracebacks = made.tracebacks
    return {
        "episodes": count,
        "disturbed": found["disturbed"],
        "too_late": found["too late"],
        "not_ended": found["not ended"],
        "interference": found["scored"],
        "scored_by_kind": {kind: sum(item.scored for item in done if item.kind == kind) for kind in KINDS},
        "reasons": sorted({f"{item.kind}: {item.reason}" for item in done if not item.scored}),
        "tracebacks": tracebacks,
    }


def _one(
    made: Graph, stranger: _Intruder, kind: str, number: int, draw: random.Random, context: Context, bags: Path
) -> _Disturbed | str:
    """What became of a disturbed episode; in words where there was none."""
    episode = made.episodes[number]
    act_at, over, acted = draw.randint(1, _STEPS), threading.Event(), list[int]()

    def watch(running: Episode, step: int, doing: str) -> None:
        if step >= act_at and not acted:
            acted.append(step)
            threading.Thread(target=stranger.disturb, args=(kind, episode, step), daemon=True).start()

    watchdog = threading.Timer(_DEADLINE, over.set)
    watchdog.start()
    client = Client(context, made.settings, name="bench_client")
    try:
        [flown] = client.run((episode,), canceled=over.is_set, doing=watch)
        state, steps, complete, reason = flown.outcome.state.name, flown.outcome.steps, flown.complete, flown.remark
    except (VantageError, ValueError) as error:
        state, steps, complete, reason = "UNKNOWN", act_at + 2, False, str(error)
    finally:
        watchdog.cancel()
        client.close()
    if over.is_set():
        return "not ended"
    if not acted or (state == EpisodeState.FINISHED.name and steps <= acted[0] + 1):
        return "too late"
    bag = bags / episode.episode_id
    score = score_bag(bag) if bag.is_dir() else None
    if score is not None:
        complete, reason = complete or score.complete, score.incomplete_reason or reason
    return _Disturbed(kind, state, complete, reason.replace(episode.episode_id, "EPISODE"))
