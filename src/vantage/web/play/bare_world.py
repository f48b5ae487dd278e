"""How long a world takes for a step when it is alone, against which waiting at a page is held."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from itertools import cycle, islice

from vantage.benchmarks.sets import EpisodeSet
from vantage.planning import allowed_actions
from vantage.recording import SOURCE
from vantage.registry import WORLDS
from vantage.runs import Job
from vantage.types import Command, Status
from vantage.web.play.controls import plain_actions

_TRIED = 120  # actions, of which some meet walls or are refused


def bare_steps(job: Job, episode_set: EpisodeSet) -> list[float]:
    """Times, s, of the motions of a camera that goes about the home of the first episode, pictures included: no page,
    nothing recorded, nobody else.

    Raises:
        VantageError: the world cannot be made.
    """
    actions, episode, found = allowed_actions(job.settings), episode_set.episodes[0].in_phase(0), []
    with closing(WORLDS.create(job.world, job.settings)) as world:
        here = world.reset(episode, job.seed).viewpoint
        for number, name in enumerate(islice(cycle(plain_actions(actions.names)), _TRIED), start=1):
            command = actions.decision(name, here)
            if not isinstance(command, Command):
                continue
            command = replace(command, episode_id=episode.episode_id, source=SOURCE, sequence=number)
            started = time.monotonic()
            result = world.step(command)
            if result.status is Status.DONE and result.observation.viewpoint != here:
                found.append(time.monotonic() - started)
            here = result.observation.viewpoint
    return found
