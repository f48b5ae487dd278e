"""A pilot that is told at each step what was detected so far, and where the camera was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vantage.answering import QuestionAnswering
from vantage.answering.vlm import prompt_question
from vantage.config import Settings
from vantage.models import prompt
from vantage.perception.map import CoverageMap, ObservedObject
from vantage.planning.agents.observing_agent import coverage_of
from vantage.planning.agents.pilot_agent import PilotAgent
from vantage.planning.needs import Need
from vantage.registry import PERCEIVERS
from vantage.spatial import Viewpoint
from vantage.types import Detection, Episode, Observation, SearchView, StepResult
from vantage.worlds import WorldInfo

_MOST_OBJECTS, _MOST_PLACES = 60, 30  # that are told, the last ones
_MOST_PRINT = 60  # characters


class PilotMapAgent(PilotAgent):
    """The same, and the model is told what was detected so far, and where, and where the camera was.

    Args:
        settings: groups ``relations``, ``degraded`` and ``pixels`` are used besides.
    """

    name = "pilot_map"
    needs = PilotAgent.needs | {Need.PERCEPTION}

    @classmethod
    def prompts_for(cls, settings: Settings) -> tuple[str, ...]:
        """Names of the prompts that the model is asked with."""
        return (*super().prompts_for(settings), "pilot_map")

    @property
    def perception(self) -> str:
        return self._settings.agent.perception

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        agent = self._settings.agent
        perceiver = PERCEIVERS.create(
            agent.perception, min_pixels=agent.min_pixels, settings=self._settings, seed=episode.seed + seed
        )
        self._coverage: CoverageMap = coverage_of(self._settings, info)
        self._seen = QuestionAnswering(perceiver, relations=self._settings.relations, coverage=self._coverage)
        self._detections: tuple[Detection, ...] = ()
        self._visited: list[Viewpoint] = []
        super().begin(episode, info, seed)

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        if episode.restored:
            self._seen.restored()

    def detections(self) -> tuple[Detection, ...]:
        return self._detections

    def view(self) -> SearchView:
        return replace(super().view(), known=self._coverage.known_fraction)

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        if last is not None:
            self._seen.memory.acted(last, self._coverage)
        self._coverage.add(observation, self._seen.memory.held_box)
        self._detections = self._seen.observe(observation)
        if not self._visited or self._visited[-1] != observation.viewpoint:
            self._visited.append(observation.viewpoint)

    def _notes(self) -> str:
        objects = self._seen.memory.objects
        return "\n" + prompt("pilot_map").fill(
            objects=_listed([_object_line(each) for each in objects[-_MOST_OBJECTS:]]),
            places=_listed([_place_line(each) for each in self._visited[-_MOST_PLACES:]]),
        )


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "- nothing"


def _object_line(seen: ObservedObject) -> str:
    """What is known of an object; what is printed on it is told as a quotation, without marks."""
    looks = [word for word in (seen.color, seen.material, *seen.states) if word]
    words = " ".join((*looks, seen.label))
    x, y, z = seen.center
    print_on_it = prompt_question(seen.text).text[:_MOST_PRINT]
    reads = f', on which "{print_on_it}" is printed' if print_on_it else ""
    return f"{words} at ({x:.2f}, {y:.2f}, {z:.2f}){reads}"


def _place_line(at: Viewpoint) -> str:
    heading = f"facing {math.degrees(at.yaw):.0f} degrees, {math.degrees(at.pitch):+.0f} up"
    return f"({at.x:.2f}, {at.y:.2f}, {at.z:.2f}), {heading}"
