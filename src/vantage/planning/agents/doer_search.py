"""A search for things of kinds that somebody names from step to step, in commands as large as the world allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.answering import LookAt, LookFor
from vantage.perception.map import CoverageMap
from vantage.planning.agents.doer_bodies import counts_commands, space_for
from vantage.planning.agents.search_agent import SearchAgent
from vantage.planning.agents.search_targets import Target
from vantage.planning.joined_actions import joined
from vantage.types import Answer, Command, Episode, Observation, Question, SearchView, Status, StepResult, Verdict
from vantage.worlds import WorldInfo


class LabelSearch(SearchAgent):
    """A subclass says what is looked for, and takes the looks one by one."""

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._joins = counts_commands(self._settings, info)
        self._barred = False
        self._lost: tuple[str, ...] = ()

    def _space(self, episode: Episode, info: WorldInfo) -> CoverageMap:
        return space_for(info, episode.start) or super()._space(episode, info)

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        super()._take_in(observation, last)
        self._barred = last is not None and last.status is not Status.DONE

    def _look_for(self, labels: tuple[str, ...]) -> None:
        """Look for things with these labels from now on."""
        if labels != self._lost:
            self._lost, self._plan = labels, []

    def _next_look(self, observation: Observation) -> Command | None:
        """The next command of the search; None where no look would show more."""
        action = self._next_action(observation)
        if action is None:
            return None
        command, further = self._joined((action, *self._plan), observation)
        del self._plan[:further]
        return command

    def _look(
        self,
        observation: Observation,
        targets: list[Target],
        weights: NDArray[np.float32] | None,
        doing: str,
        least: float = 0.0,
    ) -> Command | None:
        """The first command on the way to the next view of what is wanted; None where none is worth ``least``.

        Args:
            weights: of unknown voxels; None where they are worth nothing.
            doing: in words.
        """
        weighed = np.zeros(self._coverage.shape, np.float32) if weights is None else weights
        goal = self._view_of(observation, targets, lambda leads: weighed)
        if goal is None or self._planner.wanted_left < least:
            return None
        about = f" for {', '.join(self._lost)}" if targets and self._lost else ""
        self._view = SearchView(goal.path, (), f"{doing}{about}", goal.worth)
        return self._joined(goal.actions, observation)[0]

    def _joined(self, names: Sequence[str], observation: Observation) -> tuple[Command | None, int]:
        """See ``joined``; one action alone after what was barred, to find out where."""
        limits = self._info.limits if self._joins and not self._barred else None
        return joined(self._actions, names, observation.viewpoint, limits)

    def _hints(self, question: Question) -> tuple[LookFor, ...]:
        return tuple(LookFor(LookAt.LABEL, label) for label in self._lost)

    def _wanted_labels(self, question: Question, hints: Any) -> tuple[str, ...]:
        self._labels.setdefault(question.text, ())
        return self._lost

    def _assess(self, question: Question) -> Answer:
        return Answer(question.question_id, "", Verdict.NEEDS_LOOK, 0.0, phase=question.phase)
