"""Episodes of several phases in the open field, an agent that plays a script in each, and a log of all that is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from open_field import START
from scripted_agent import ScriptedAgent

from vantage.recording.events import EpisodeListener
from vantage.spatial import Viewpoint
from vantage.types import Answer, Done, Episode, EpisodePhase, Question, StepResult

EXPLORE, FIRST, AGAIN = "explore", "first", "again"
SECRET = "What color is the zebra behind the curtain?"


def explore_then_answer(episode_id: str = "episode-1", scene: str = "field", start=START) -> Episode:
    phases = (EpisodePhase(EXPLORE, 3), EpisodePhase("answer", 2, (Question("q1", SECRET),)))
    return Episode.of_phases(episode_id, "search", scene, start, phases)


def answer_twice(episode_id: str = "episode-1", scene: str = "field", start=START) -> Episode:
    """The same question id in both phases."""
    phases = (
        EpisodePhase(FIRST, 2, (Question("q1", "What color is the ball?", FIRST),)),
        EpisodePhase(AGAIN, 4, (Question("q1", SECRET, AGAIN), Question("q2", "Is there a ball?", AGAIN))),
    )
    return Episode.of_phases(episode_id, "search", scene, start, phases)


REENTER, REFINE = "reenter", "refine"


def look_answer_look_again(episode_id: str = "episode-1", scene: str = "field", start=START, cap: int = 5) -> Episode:
    """Four phases; before the third the world is put back."""
    asked = {
        name: (Question("q1", SECRET, name), Question("q2", "Is there a ball?", name)) for name in ("answer", REFINE)
    }
    phases = (
        EpisodePhase(EXPLORE, 4),
        EpisodePhase("answer", 1, asked["answer"]),
        EpisodePhase(REENTER, cap, restored=True),
        EpisodePhase(REFINE, 0, asked[REFINE]),
    )
    return Episode.of_phases(episode_id, "search", scene, start, phases)


class PhasedAgent(ScriptedAgent):
    """Takes the actions of the phase that is on, then answers what it asks, or is done.

    Attributes:
        given: episodes as they were given, in order.
    """

    def __init__(self, scripts: Mapping[str, Sequence[str]], texts: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._scripts, self._texts = scripts, texts or {}
        self.given: list[Episode] = []
        self.first: list[tuple[Viewpoint, StepResult | None]] = []  # what each phase that was acted in began with

    def begin(self, episode, info, seed):
        super().begin(episode, info, seed)
        self.given, self.first = [], []
        self.begin_phase(episode)

    def begin_phase(self, episode):
        super().begin_phase(episode)
        self.given.append(episode)
        self._acted = False
        self._left = list(self._scripts.get(episode.phase, ()))

    def act(self, observation, last):
        if not self._acted:
            self.first.append((observation.viewpoint, last))
        self._acted = True
        if not self._left and not self._open:
            return Done()
        decision = super().act(observation, last)
        if isinstance(decision, Answer):
            return replace(decision, text=self._texts.get(decision.phase, "red"))
        return decision


class Log(EpisodeListener):
    """What listeners were told, in order, as text; of commands, their numbers."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.numbers: list[int] = []

    def started(self, episode, agent, stamp):
        self.told.append(f"started {episode}")

    def phase_began(self, episode, outcome, stamp):
        self.told.append(f"phase began {episode} {outcome}")

    def commanded(self, command, stamp):
        self.numbers.append(command.sequence)
        self.told.append(str(command))

    def thought(self, view, detections, observation):
        self.told.append(f"{view} {detections}")

    def answered(self, answer, stamp):
        self.told.append(str(answer))

    def ended(self, outcome, stamp):
        self.told.append(f"ended {outcome}")

    def before(self, phase: str) -> str:
        """All that was told before a phase began."""
        number = next(k for k, text in enumerate(self.told) if text.startswith("phase") and f"phase='{phase}'" in text)
        return "\n".join(self.told[:number])
