"""Resident memory of the QA node after many episodes: a process of its own, sent views over DDS as fast as it looks."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from vantage.bench import resident_mb, restamped
from vantage.config import Settings
from vantage.errors import VantageError
from vantage.nodes.bench.question_latency import ViewPublisher
from vantage.nodes.runtime import Spinner, ros_context
from vantage.types import Episode, EpisodeState, Observation, Question
from vantage.workers import ending_with_this_process

BOUND_MB_PER_MINUTE = 1.0  # growth in the second half, at whatever pace episodes come
VIEWS = 20  # of one episode
QUESTIONS = 3  # of one episode
_MARKS = 24
_PAUSE = 0.2  # s for an episode to be heard of before its views come; topics are not in order with each other
_START = 60.0  # s for the node to become active
_END = 20.0  # s for the node to go


def bench_soak(
    settings: Settings,
    views: Sequence[Observation],
    texts: Sequence[str],
    minutes: float,
    say: Callable[[str], None],
    episodes: int | None = None,
) -> dict[str, Any]:
    """Resident memory of ``qa_node`` over episodes, at marks from the first one's end on.

    Args:
        minutes: how long to go on.
        episodes: go on for so many instead.

    Raises:
        VantageError: the node did not start, no longer looks or answers, or ended.
    """
    marks: list[dict[str, float]] = []
    with ExitStack() as stack:
        context = stack.enter_context(ros_context([]))
        process = stack.enter_context(_node(settings))
        feeder = ViewPublisher(context)
        stack.callback(Spinner([feeder], context).close)
        feeder.await_graph()
        _await_answers(feeder, texts[0])
        feeder.tell_legend(views[0])
        begun = time.monotonic()
        for number in _episodes(feeder, views, texts):
            spent = (time.monotonic() - begun) / 60.0
            share = spent / minutes if episodes is None else number / episodes
            if process.poll() is not None:
                raise VantageError(f"qa_node ended with status {process.returncode} after {number} episodes")
            if share * _MARKS >= len(marks):
                marks.append(
                    {"minutes": round(spent, 3), "episodes": number, "rss_mb": round(resident_mb(process.pid), 2)}
                )
                say(f"{spent:.1f} min, {number} episodes: {marks[-1]['rss_mb']:.1f} MB")
            if share >= 1.0:
                break
    return growth(marks)


def growth(marks: Sequence[dict[str, float]]) -> dict[str, Any]:
    """What was held at first and at last, and how fast it grew in the second half, by the line that fits best."""
    half = marks[len(marks) // 2 :]
    held = np.array([mark["rss_mb"] for mark in half])

    def slope(key: str) -> float:
        along = np.array([mark[key] for mark in half])
        return float(np.polyfit(along, held, 1)[0]) if len(half) > 1 and np.ptp(along) > 0 else 0.0

    per_minute = slope("minutes")
    return {
        "minutes": marks[-1]["minutes"],
        "episodes": marks[-1]["episodes"],
        "before_mb": marks[0]["rss_mb"],
        "after_mb": marks[-1]["rss_mb"],
        "mb_per_minute": round(per_minute, 3),
        "mb_per_episode": round(slope("episodes"), 4),
        "bound_mb_per_minute": BOUND_MB_PER_MINUTE,
        "met": per_minute <= BOUND_MB_PER_MINUTE,
        "marks": list(marks),
    }


def _episodes(feeder: ViewPublisher, views: Sequence[Observation], texts: Sequence[str]) -> Iterator[int]:
    """Runs episodes without end, yielding how many there were."""
    coming, asked = restamped(views), itertools.cycle(texts)
    stamp = views[0].stamp
    for number in itertools.count(1):
        questions = tuple(Question(f"q{k}", next(asked)) for k in range(QUESTIONS))
        shown = list(itertools.islice(coming, VIEWS))
        episode = Episode(f"soak-{number}", "search", "bench", shown[0].viewpoint, questions, VIEWS)
        feeder.tell_episode(episode, EpisodeState.RUNNING, shown[0].stamp)
        time.sleep(_PAUSE)
        for view in shown:
            feeder.show(view)
        for response in feeder.ask([next(asked) for _ in range(QUESTIONS)]):
            if response is None or not response.ok:
                why = "nothing came in time" if response is None else response.message
                raise VantageError(f"qa_node did not answer in episode {number}: {why}; its log says more")
        stamp = shown[-1].stamp
        feeder.tell_episode(episode, EpisodeState.FINISHED, stamp)
        yield number


def _await_answers(feeder: ViewPublisher, text: str) -> None:
    """Until the node is active; before, it looks at nothing."""
    ends = time.monotonic() + _START
    while True:
        [response] = feeder.ask([text])
        if response is not None and response.ok:
            return
        if time.monotonic() > ends:
            why = "nothing came" if response is None else response.message
            raise VantageError(f"qa_node did not answer within {_START:.0f} s of its start: {why}; run the bench again")
        time.sleep(0.2)


@contextmanager
def _node(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    agent = settings.agent
    parameters = (
        f"agent.perception:={agent.perception}",
        f"agent.min_pixels:={agent.min_pixels}",
        f"world.voxel:={settings.world.voxel}",
    )
    words = [word for parameter in parameters for word in ("-p", parameter)]
    command = [sys.executable, "-m", "vantage.nodes.qa.qa_node", "--ros-args", "--log-level", "warn", *words]
    process = subprocess.Popen(ending_with_this_process(command), stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(_END)
