"""Lifecycle transitions at random moments of services, goals and episodes: which nodes die or answer no more."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rclpy.context import Context

from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.bench.graph_processes import NODES, Caller, Graph, beside, episode_runs, graph, restart_nodes
from vantage.nodes.graph import Client
from vantage.nodes.runtime import RclpyFactory, interface
from vantage.recording import Codec
from vantage.types import EpisodeState

# By state (unconfigured, inactive, active) those of lifecycle_msgs; more often than not a node is made active again.
TRANSITIONS = {1: (1,), 2: (3, 3, 3, 2), 3: (4,)}
_ACTIVATE_FROM = {1: (1, 3), 2: (3,), 3: ()}
_PAUSES = (0.1, 0.1, 0.3, 0.3, 3.0)  # s at most between two transitions; the longest lets episodes get under way
_REPLY = 30.0  # s for a transition, which may wait for a callback that is under way
_CALL = 10.0  # s for a service beside it
_CHECK_EVERY = 25  # transitions
_GOAL = 2.0  # s until a goal is canceled, at most
_BESIDE = (  # services that are called all the time
    ("vantage_eqa/srv/ResetWorld", "reset_world"),
    ("std_srvs/srv/Trigger", "stop"),
    ("std_srvs/srv/Trigger", "clear_stop"),
    ("vantage_eqa/srv/AskQuestion", "ask_question"),
    ("vantage_eqa/srv/CheckQuestion", "check_question"),
    ("vantage_eqa/srv/CancelQuestion", "cancel_question"),
    ("vantage_eqa/srv/InterpretTask", "interpret_task"),
    ("vantage_eqa/srv/ScoreBag", "score_bag"),
)


def bench_transitions(
    settings: Settings,
    episodes: Path,
    folder: Path,
    context: Context,
    count: int,
    seed: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """So many transitions of the managed nodes while services are called and episodes run and are canceled.

    ``dead_nodes`` counts processes that ended, ``hung`` transitions without a reply and nodes that no longer answer,
    ``refused`` transitions that the node did not make, ``episodes`` those that took a step, ``not_ended`` those that
    were canceled and did not end in time; ``episode_after`` tells whether the graph then runs and scores one more.
    """
    found, draw = Counter[str](), random.Random(seed)
    with ExitStack() as stack:
        made, caller = stack.enter_context(graph(settings, episodes, "random", folder, context))
        managed = [node for node in NODES if _state(caller, node) is not None]
        goals = random.Random(f"{seed} goals")
        with ExitStack() as work:
            work.enter_context(beside(_calling(caller, random.Random(f"{seed} services"), made), say))
            work.enter_context(beside(_flying(made, context, goals, found), lambda told: None))
            for number in range(1, count + 1):
                time.sleep(draw.uniform(0.0, draw.choice(_PAUSES)))  # the random moment
                _transit(caller, draw.choice(managed), draw, found)
                if made.dead() or number % _CHECK_EVERY == 0 or number == count:
                    _check(made, caller, managed, found, say)
                if number % _CHECK_EVERY == 0 or number == count:
                    say(f"transitions {number}/{count}: {dict(found)}")
        _check(made, caller, managed, found, say)
        after = _recovers(made, caller, managed, context, say)
        tracebacks = made.tracebacks
    return {
        "transitions": count,
        "managed": managed,
        **{key: found[key] for key in ("made", "refused", "hung", "episodes", "not_ended")},
        "dead_nodes": found["dead"],
        "tracebacks": tracebacks,
        "episode_after": after,
    }


def _state(caller: Caller, node: str) -> int | None:
    """The lifecycle state of a node; None where it has none, or does not tell."""
    name = f"/{node}/get_state"
    if name not in dict(caller.get_service_names_and_types()):
        return None
    response = caller.call("lifecycle_msgs/srv/GetState", name, timeout=_REPLY)
    return None if response is None else int(response.current_state.id)


def _transit(caller: Caller, node: str, draw: random.Random, found: Counter[str]) -> None:
    state = _state(caller, node)
    if state is None:
        found["hung"] += 1
        return
    ways: Sequence[int] = TRANSITIONS.get(state, (1, 2, 3, 4))  # amid another one, any is as good
    made = _change(caller, node, draw.choice(ways))
    found["hung" if made is None else "made" if made else "refused"] += 1


def _change(caller: Caller, node: str, transition: int) -> bool | None:
    kind = "lifecycle_msgs/srv/ChangeState"
    request = interface(kind).Request()
    request.transition.id = transition
    response = caller.call(kind, f"/{node}/change_state", request, _REPLY)
    return None if response is None else bool(response.success)


def _check(
    made: Graph, caller: Caller, managed: Sequence[str], found: Counter[str], say: Callable[[str], None]
) -> None:
    """Whether all nodes live and answer; those that do not are started anew."""
    dead = made.dead()
    others = [node for node in NODES if node not in dead and node not in managed]
    deaf = [node for node in others if not caller.answers(node)]
    deaf += [node for node in managed if node not in dead and _state(caller, node) is None]
    found.update(dead=len(dead), hung=len(deaf))
    if dead or deaf:
        say(f"transitions: {', '.join(dead) or 'none'} died, {', '.join(deaf) or 'none'} deaf")
        restart_nodes(made, caller, [*dead, *deaf])


def _calling(caller: Caller, draw: random.Random, made: Graph) -> Callable[[], object]:
    """Calls services as people and nodes do, one after another, in random order."""
    episode = Codec(RclpyFactory()).episode(0, made.episodes[0], EpisodeState.PENDING)
    question = made.episodes[0].questions[0].text
    fields: dict[str, dict[str, Any]] = {
        "reset_world": {"episode": episode},
        "ask_question": {"question": question},
        "check_question": {"question": question},
        "interpret_task": {"task": question},
    }

    def call() -> None:
        kind, name = draw.choice(_BESIDE)
        if name == "score_bag":  # one bag: all of them take the longer, the more episodes were run
            fields[name] = {"path": str(draw.choice([made.bags / "none", *made.bags.glob("*")]))}
        caller.call(kind, name, interface(kind).Request(**fields.get(name, {})), _CALL)

    return call


def _flying(made: Graph, context: Context, draw: random.Random, found: Counter[str]) -> Callable[[], object]:
    """Runs episodes, most of which are canceled at a random moment."""

    def fly() -> None:
        client = Client(context, made.settings, name="bench_client")
        cancel, steps = threading.Event(), list[int]()
        timer = threading.Timer(draw.uniform(0.0, _GOAL), cancel.set)
        timer.start()
        try:
            list(
                client.run(
                    made.unused_episodes()[:1],
                    canceled=cancel.is_set,
                    doing=lambda episode, step, told: steps.append(step),
                    score_timeout=0.1,
                )
            )
        except WorldError as error:  # refused, not scored, the world went away: of interest is what does not end
            found["not_ended"] += "did not end" in str(error)
            time.sleep(0.1)
        finally:
            found["episodes"] += bool(steps)
            timer.cancel()
            client.close()

    return fly


def _recovers(
    made: Graph, caller: Caller, managed: Sequence[str], context: Context, say: Callable[[str], None]
) -> bool:
    """Whether, all nodes active and no stop in force, an episode is run and scored."""
    for node in managed:
        for transition in _ACTIVATE_FROM.get(_state(caller, node) or 3, ()):
            _change(caller, node, transition)
    caller.call("std_srvs/srv/Trigger", "clear_stop", timeout=_CALL)
    return episode_runs(made, caller, context, say)
