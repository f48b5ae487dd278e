"""One recorded episode: what became of its phases, commands and questions. The basis of scores and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from vantage.errors import RecordingError
from vantage.spatial import Viewpoint
from vantage.types import (
    FIRST_VIEW_RULE,
    Answer,
    Episode,
    EpisodePhase,
    EpisodeState,
    Question,
    Status,
    Truth,
    TruthQuestion,
    ViewShortfall,
)

T = TypeVar("T")
INTERFERENCE = "interference"  # begins the reason why a disturbed episode is not scored


@dataclass(frozen=True)
class PhaseBegin:
    """What was recorded of the beginning of a phase.

    Attributes:
        episode: as it is in the phase.
        commands_before, answers_before: that the planner had sent and given, over all former phases.
    """

    episode: Episode
    commands_before: int
    answers_before: int


@dataclass(frozen=True)
class Motion:
    """What became of one command."""

    action: str
    status: Status
    reason: str
    reached: Viewpoint
    observation_stamp: int


@dataclass
class Recording:
    """One recorded episode.

    Attributes:
        episode: all of it, as far as its phases began.
        phases: those that began, in order.
        control: under which the agent ran, such as ``start=goal,frames=3``; empty without one.
        visibility: visible fraction of each target (instance id) by stamp of the frame, in ns, ascending.
        answering: whether a frame alone answers each question of the gold data, in their order, by its stamp; older
            recordings lack it.
        shortfalls: why it does not, in the same order, None where it does; older recordings lack it.
        view_rule: version of the view rule that judged the frames.
        set_view_rule: version of the view rule by which the set was labelled.
        commands_sent, answers_given: as the planner counted them.
        counts: messages of each absolute topic according to the recording's summary; empty without one.
        read: messages found of each topic that was read.
        dropped: messages lost before they reached the recorder.
        unreadable: messages that the recorder left out because they could not be read.
        interference: how the episode was disturbed, in words, by the recorder and by what the bag itself shows.
        verified: whether the bag has checksums, and they are right.
        participant: pseudonym of the person who was the agent; empty where none was.
    """

    path: Path
    episode: Episode | None = None
    phases: list[PhaseBegin] = field(default_factory=list)
    agent: str = ""
    perception: str = ""
    control: str = ""
    state: EpisodeState = EpisodeState.PENDING
    reason: str = ""
    commands_sent: int = 0
    answers_given: int = 0
    truth: Truth | None = None
    motions: list[Motion] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    visibility: dict[int, dict[int, float]] = field(default_factory=dict)
    answering: dict[int, tuple[bool, ...]] = field(default_factory=dict)
    shortfalls: dict[int, tuple[ViewShortfall | None, ...]] = field(default_factory=dict)
    view_rule: int = FIRST_VIEW_RULE
    set_view_rule: int = FIRST_VIEW_RULE
    counts: dict[str, int] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    unreadable: int = 0
    interference: list[str] = field(default_factory=list)
    verified: bool = False
    participant: str = ""

    def shortfall(self) -> str:
        """Why this is no complete recording of a finished episode, in words; empty for a complete one."""
        if self.episode is None:
            return "it holds no episode"
        if not self.counts:
            return "it ends before the recording's summary"
        for name, count in self.counts.items():
            if self.read.get(name, count) != count:
                return f"it holds {self.read[name]} of {count} messages on {name}"
        if self.interference:
            return f"{INTERFERENCE}: {'; '.join(self.interference)}"
        if self.state != EpisodeState.FINISHED:
            because = f": {self.reason}" if self.reason else ""
            return f"the episode was not finished but {self.state.name.lower()}{because}"
        if len(self.motions) != self.commands_sent:
            return f"it holds {len(self.motions)} results of {self.commands_sent} commands"
        if len(self.answers) != self.answers_given:
            return f"it holds {len(self.answers)} of {self.answers_given} answers"
        if self.truth is None:
            return "it holds no gold data"
        known, asked = len(self.truth.questions), len(self.episode.questions)
        if known > asked:
            return f"its gold data ask {known} questions, and the phases that began {asked}"
        if len(self.phases) > 1 and any(not item.phase for item in self.truth.questions):
            return "its gold data are not those of the phases that began"
        if any(question.target_instances for question in self.truth.questions):
            unjudged = sum(motion.observation_stamp not in self.visibility for motion in self.motions)
            if unjudged:
                return f"it lacks what {unjudged} of {len(self.motions)} looks showed of the targets"
        return ""

    def asked_as(self, truth: TruthQuestion) -> Question | None:
        """The question, in words, that gold data are about; None where it was not asked."""
        questions = self.episode.questions if self.episode is not None else ()
        return next((item for item in questions if truth.is_about(item)), None)

    def answer_of(self, question: Question) -> Answer | None:
        """The first answer to a question, which its id alone names in an episode of one phase; None without one."""
        several = len(self.phases) > 1
        same = (item for item in self.answers if item.question_id == question.question_id)
        return next((item for item in same if not several or item.phase == question.phase), None)

    def answer_to(self, truth: TruthQuestion) -> Answer | None:
        """The first answer to the question that gold data are about; None where there is none."""
        return next((item for item in self.answers if truth.is_about(item)), None)

    def motions_in(self, phase: str) -> list[Motion]:
        """What became of the commands of a phase, in order.

        Raises:
            RecordingError: it holds no such phase.
        """
        names = [item.episode.phase for item in self.phases]
        if phase not in names:
            raise RecordingError(f"{self.path} holds no phase '{phase}', but {', '.join(names) or 'none'}")
        return self.motions_until(phase)[self.phases[names.index(phase)].commands_before :]

    def motions_until(self, phase: str) -> list[Motion]:
        """What became of all commands until a phase ended, in order; an empty name stands for the last phase."""
        names = [item.episode.phase for item in self.phases]
        following = names.index(phase) + 1 if phase in names else len(names)
        return self.motions[: self.phases[following].commands_before] if following < len(names) else self.motions

    def end_of(self, phase: str = "") -> int:
        """Stamp, ns, of what the agent saw last until a phase ended (empty: the last phase); -1 where no frame tells.

        That is the first frame that shows the result of the last command.
        """
        motions = self.motions_until(phase)
        since = motions[-1].observation_stamp if motions else 0
        return next((stamp for stamp in sorted(self.visibility) if stamp >= since), -1)

    @property
    def ended_phases(self) -> tuple[str, ...]:
        """Names of the phases that were gone through to their end, in order: of an episode that was not finished, all
        but the one in which it broke off."""
        names = tuple(item.episode.phase for item in self.phases)
        return names if self.state == EpisodeState.FINISHED else names[:-1]

    def until(self, phase: str) -> Recording:
        """What was recorded until a phase ended, as if the episode had ended with it: its phases, commands, answers and
        gold data. So what was complete can be scored although a later phase failed.

        Raises:
            RecordingError: that phase was not gone through to its end.
        """
        ended = self.ended_phases
        if phase not in ended or self.episode is None:
            known = ", ".join(ended) or "none"
            raise RecordingError(f"{self.path} holds no phase '{phase}' that ended; ended are: {known}")
        kept = self.phases[: ended.index(phase) + 1]
        if len(kept) == len(self.phases):
            return self
        following = self.phases[len(kept)]
        sent, given = following.commands_before, following.answers_before
        names = [item.episode.phase for item in kept]
        answers = [answer for answer in self.answers if answer.phase in names]
        episode = whole_episode([item.episode for item in kept])
        truth = self.truth
        if truth is not None:
            asked = [gold for gold in truth.questions if self.asked_as(gold) is not None and gold.phase in ("", *names)]
            truth = replace(truth, questions=tuple(asked))
        return replace(
            self,
            episode=episode,
            phases=kept,
            state=EpisodeState.FINISHED,
            reason="",
            commands_sent=sent,
            answers_given=given,
            truth=truth,
            motions=self.motions[:sent],
            answers=answers,
            answering=_of_first(self.answering, truth),
            shortfalls=_of_first(self.shortfalls, truth),
        )

    def ways(self) -> list[list[Viewpoint]]:
        """Where the camera was after each command, beginning with the start of the episode; another way begins there
        with each phase before which the world was put back."""
        if self.episode is None:
            return []
        reached = [motion.reached for motion in self.motions]
        cuts = [item.commands_before for item in self.phases if item.episode.restored]
        ends = [0, *cuts, len(reached)]
        return [[self.episode.start, *reached[a:b]] for a, b in pairwise(ends)]

    def last_frame(self, phase: str = "") -> Mapping[int, float]:
        """Visible fractions in what the agent saw last until a phase ended (empty: the last phase)."""
        return self.visibility.get(self.end_of(phase), {})


def _of_first(rows: Mapping[int, tuple[T, ...]], truth: Truth | None) -> dict[int, tuple[T, ...]]:
    """What rows say of the questions of gold data, which are the first of a longer list."""
    return {stamp: row[: len(truth.questions)] for stamp, row in rows.items()} if truth else {}


def whole_episode(episodes: Sequence[Episode]) -> Episode:
    """The episode of several phases, as it is in each of those that began; the only one as it is.

    Raises:
        ValueError: the phases contradict each other.
    """
    first = episodes[0]
    if len(episodes) == 1:
        return first
    parts = tuple(EpisodePhase(item.phase, item.max_steps, item.questions, item.restored) for item in episodes)
    return Episode.of_phases(first.episode_id, first.benchmark, first.scene, first.start, parts, first.seed)
