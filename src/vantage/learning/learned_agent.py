"""The learned agent: it looks, remembers and acts by the network that ``vantage train`` taught, and answers by a T5."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as np

from vantage.config import Settings
from vantage.errors import MissingExtraError, UsageError
from vantage.planning import Need, make_actions
from vantage.types import (
    Answer,
    Command,
    Decision,
    Detection,
    Done,
    Episode,
    Observation,
    Question,
    SearchView,
    StepResult,
    Verdict,
)
from vantage.worlds import WorldInfo

if TYPE_CHECKING:
    from vantage.learning.trained_policy import Belief

_LIBRARIES = ("torch", "torchrl", "tensordict", "transformers")


class LearnedAgent:
    """Goes through the phases of an episode as in training: actions are drawn by the policy's probabilities, questions
    enter once they are asked, and in a phase without steps nothing is done but to answer. Its name is that of the agent
    that was trained.

    Args:
        settings: ``agent.checkpoint`` names a checkpoint; ``learning`` and those of perceivers are used besides.

    Raises:
        MissingExtraError: a library for it is not installed.
        UsageError: no checkpoint is named, or it was trained with other actions.
        FormatError: the checkpoint cannot be read.
        ModelError: weights of a model are missing.
    """

    needs = frozenset({Need.VIEWS})

    def __init__(self, settings: Settings, **_: Any) -> None:
        missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
        if missing:
            raise MissingExtraError(
                f"agent 'learned' needs {', '.join(missing)}, not installed here; run 'make setup WITH=learning' or "
                "'pip install vantage-eqa[learning]'"
            )
        from vantage.learning.trained_policy import TrainedPolicy

        self._trained = TrainedPolicy.load(settings)
        self.name, self.perception = self._trained.name, self._trained.perception
        self._actions = make_actions(settings.actions)
        if tuple(self._actions.names) != self._trained.actions:
            raise UsageError(
                f"{settings.agent.checkpoint} was trained with {len(self._trained.actions)} actions, others than those "
                f"of action space '{self._actions.name}' as it is set; run it on a set with the actions that it learned"
            )
        self._belief: Belief | None = None

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        """See ``Agent.begin``; what is drawn by lot depends on the episode's seed and this one."""
        self._trained.begin(episode.seed + seed)
        self._rng = np.random.default_rng([episode.seed, seed])
        self._belief, self._stamp, self._action = None, -1, -1
        self._public: tuple[str, ...] = ()  # texts of questions
        self._look_as(episode)
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        """See ``Agent.begin_phase``."""
        self._open, self._left = list(episode.questions), episode.max_steps
        self._found: dict[str, tuple[str, float]] = {}
        self._public = tuple(dict.fromkeys((*self._public, *(question.text for question in self._open))))
        if episode.max_steps > 0:
            self._look_as(episode)

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        """See ``Agent.act``."""
        if observation.stamp != self._stamp:
            self._stamp = observation.stamp
            self._belief = self._trained.see(observation, self._phase, self._action, self._given, self._belief)
        if self._left > 0:
            decision = self._moved(observation)
            if not isinstance(decision, Done):
                return decision
        return self._answer(self._open.pop(0)) if self._open else Done()

    def detections(self) -> tuple[Detection, ...]:
        """None that it could tell of."""
        return ()

    def view(self) -> SearchView:
        """See ``Agent.view``."""
        return SearchView(doing="acting by what it learned")

    def _look_as(self, episode: Episode) -> None:
        """Of the looks that follow, the phase and the questions that the network is told: as in training, those of the
        last phase with steps."""
        self._phase = episode.phase
        self._given = tuple(dict.fromkeys((*self._public, *(question.text for question in episode.questions))))

    def _moved(self, observation: Observation) -> Command | Done:
        """The next action, by lot; ``Done`` when that is to end the phase."""
        assert self._belief is not None
        likely = self._trained.probabilities(self._belief)
        self._action = min(int(np.searchsorted(np.cumsum(likely), self._rng.random())), len(likely) - 1)
        decision = self._actions.decision(self._trained.actions[self._action], observation.viewpoint)
        self._left = 0 if isinstance(decision, Done) else self._left - 1
        return decision

    def _answer(self, question: Question) -> Answer:
        """From what it has in mind; all open questions are worked out together."""
        assert self._belief is not None
        if question.question_id not in self._found:
            asked = [question, *self._open]
            said = self._trained.answers(self._belief, [each.text for each in asked])
            self._found = {each.question_id: found for each, found in zip(asked, said, strict=True)}
        text, held = self._found[question.question_id]
        verdict = Verdict.ANSWERED if text else Verdict.UNANSWERABLE
        return Answer(question.question_id, text, verdict, held, perception=self.perception, phase=question.phase)
