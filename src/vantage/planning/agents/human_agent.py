"""A person as an agent: she sees the pictures, chooses every action and answers, within the same budget and limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vantage.answering.vlm import one_line, prompt_question
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.models import check_cutoff
from vantage.planning.actions import make_actions
from vantage.planning.agents.kept_picture import KeptPicture
from vantage.planning.agents.mailbox import MOST_TEXT, REPLAY, Mailbox, Sight, WrittenAnswer
from vantage.planning.agents.model_answers import unasked
from vantage.planning.agents.recent_steps import RecentSteps
from vantage.planning.controls import Control, allowed_actions, control_text
from vantage.planning.needs import Need
from vantage.planning.restricted_actions import axes_named
from vantage.spatial import Viewpoint
from vantage.types import (
    Answer,
    Command,
    Decision,
    Detection,
    Done,
    Episode,
    Evidence,
    NoiseReport,
    Observation,
    Participation,
    SearchView,
    StepResult,
)
from vantage.worlds import WorldInfo

_NOBODY = Participation("", "", "", "")
_DONE = "done"
_USUAL_MODE = "plain"


class HumanAgent:
    """Waits on a mailbox for what a person decides. She sees with her own eyes, so nothing is detected.

    Args:
        settings: groups ``actions`` and ``control`` are used; ``control.frames`` says how many pictures she is shown.
        mailbox: where she is reached.

    Raises:
        UnknownNameError: there is no such action space or axis.
        UsageError: there is no mailbox, or no action moves one of the axes alone.
    """

    name = "human"
    perception = "eyes"
    needs = frozenset({Need.VIEWS})
    controls = frozenset({Control.FRAMES, Control.DOF})

    def __init__(self, settings: Settings, mailbox: Mailbox | None = None, **_: Any) -> None:
        if mailbox is None:
            raise UsageError("agent 'human' is a person in front of a browser; run `vantage play`")
        self._settings, self._mailbox = settings, mailbox
        self._actions = allowed_actions(settings)
        self._moves = tuple(name for name in self._actions.names if name != _DONE)
        self._axes = axes_named(settings.control.dof) or ()
        whole = make_actions(settings.actions).names
        self._left_out = tuple(name for name in whole if name not in self._actions.names)
        self._who, self._repeat = _NOBODY, 1
        self._view = SearchView()

    @property
    def control(self) -> str:
        """What differs from the default: another mode, and another person's trial of the same episode, too."""
        mode = f"mode={self._who.mode}" if self._who.mode not in ("", _USUAL_MODE) else ""
        repeat = f"repeat={self._repeat}" if self._repeat > 1 else ""
        return ",".join(filter(None, (control_text(self._settings), mode, repeat)))

    def seat(self, who: Participation, repeat: int = 1) -> None:
        """Who decides from now on, and how many have been given the episode, she included."""
        self._who, self._repeat = who, repeat

    def participation(self) -> Participation:
        return self._who

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._recent = RecentSteps(self._settings.control.frames)
        self._taken: dict[int, Evidence] = {}  # by the number of the sight that showed it first
        self._explored: list[KeptPicture] = []
        self._number = 0
        self._view = SearchView()
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        """The pictures are kept, and the actions unless the world was put back since."""
        if episode.restored:
            self._recent.forget_actions()
        self._open = list(episode.questions)
        self._phase, self._left = episode.phase, episode.max_steps

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        """What she decides; waits until she does.

        Raises:
            CanceledError: she is gone.
        """
        self._number += 1
        if self._recent.saw(observation, last):
            self._taken[self._number] = Evidence(observation.stamp, observation.viewpoint)
            if self._who.mode == REPLAY and not self._open:
                self._explored.append(KeptPicture.of(observation.rgb, self._number, self._phase))
        asked = prompt_question(self._open[0].text) if self._open else None
        if asked is not None and not asked.text:
            return replace(unasked(self._open.pop(0), asked.note), perception=self.perception)
        sight = Sight(
            self._number,
            tuple(self._recent.pictures),
            asked.text if asked is not None else "",
            self._phase,
            self._left,
            self._recent.action,
            self._recent.result,
            self._moves if self._left > 0 else (),
            asked is None,
            tuple(self._taken),
            tuple(self._explored) if asked is not None else (),
            self._axes,
            self._left_out,
        )
        decided, seconds = self._mailbox.ask(sight, check_cutoff)
        self._who = replace(self._who, thinking_time=seconds)
        if decided.answer is not None:
            return self._answered(decided.answer)
        return self._moved(decided.action, observation.viewpoint) if decided.action else Done()

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return self._view

    def _moved(self, action: str, here: Viewpoint) -> Command | Done:
        self._left -= 1
        self._view = SearchView((here, self._actions.apply(action, here)), doing=action)
        return self._actions.decision(action, here)

    def _answered(self, said: WrittenAnswer) -> Answer:
        question = self._open.pop(0)
        self._view = SearchView(doing="answering")
        newest = max(self._taken)
        chosen = [number for number in dict.fromkeys(said.evidence) if number != newest]
        noise = NoiseReport(
            said.noise,
            one_line(said.false_claim, MOST_TEXT),
            one_line(said.correction, MOST_TEXT),
            one_line(said.corrected_question, MOST_TEXT),
            said.confidence if said.noise else 0.0,
        )
        return Answer(
            question.question_id,
            one_line(said.text, MOST_TEXT),
            said.verdict,
            said.confidence,
            noise,
            tuple(self._taken[number] for number in (*chosen, newest)),
            self.perception,
            phase=question.phase,
        )
