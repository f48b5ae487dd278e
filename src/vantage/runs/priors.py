"""What a training set, or the half of a set that is for fitting, tells of right answers, for the agents that learn of
them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from vantage.benchmarks import benchmark_of
from vantage.benchmarks.sets import TRAINING, EpisodeSet, load_set
from vantage.config import Settings
from vantage.errors import UsageError
from vantage.planning import AnswerPrior, LanguagePrior
from vantage.planning.goals import Lesson, Lessons, learn

T = TypeVar("T")
_FIT = "fit"  # the split from which may be learned


def counted_answers(episode_set: EpisodeSet) -> AnswerPrior:
    """How often each answer is right in a set; once for all starts from which a scene is asked the same."""
    return AnswerPrior.of(_answered(episode_set))


def language_of_set(episode_set: EpisodeSet) -> LanguagePrior:
    """What words of questions alone tell of their answers in a set; each question counts once for a scene."""
    return LanguagePrior.fit(_answered(episode_set))


def _answered(episode_set: EpisodeSet) -> list[tuple[str, str]]:
    truths = benchmark_of(episode_set.info.benchmark).truths(episode_set)
    answered = {
        (episode.scene, question.text, gold.answer): None
        for episode in episode_set.episodes
        for question in episode.questions
        for gold in truths[episode.episode_id].questions
        if gold.is_about(question)
    }
    return [(text, answer) for _, text, answer in answered]


def lessons_of(episodes: str | Path | None) -> Lessons:
    """What the tasks of a set that are for fitting teach; nothing where there is no set or none of them. The gold data
    of all others are left alone.

    Raises:
        FormatError: the set cannot be read.
    """
    if not episodes:
        return Lessons()
    episode_set = load_set(episodes)
    truths = benchmark_of(episode_set.info.benchmark).truths(episode_set)
    solved = [
        Lesson.of(question.text, gold.answer if gold.premise_holds else "")
        for episode in episode_set.episodes
        if truths[episode.episode_id].split == _FIT
        for question in episode.questions
        for gold in truths[episode.episode_id].questions
        if gold.is_about(question)
    ]
    return learn(solved)


def prior_of(settings: Settings, episodes: str | Path | None) -> AnswerPrior:
    """The counts that ``agent.prior`` names, or those of the training set beside a set.

    Raises:
        UsageError: there are none.
        FormatError: they cannot be read.
    """
    return _learned(settings, episodes, AnswerPrior.read, counted_answers, ("prior", "count", "episodes prior"))


def language_prior_of(settings: Settings, episodes: str | Path | None) -> LanguagePrior:
    """The model that ``agent.prior`` names, or one fitted on the training set beside a set.

    Raises:
        UsageError: there is none.
        FormatError: it cannot be read.
    """
    words = "language", "fit", "episodes prior --language"
    return _learned(settings, episodes, LanguagePrior.read, language_of_set, words)


def _learned(
    settings: Settings,
    episodes: str | Path | None,
    read: Callable[[str], T],
    learn: Callable[[EpisodeSet], T],
    words: tuple[str, str, str],
) -> T:
    """
    Args:
        words: name of the agent, what is done to a training set, and by which command.
    """
    if settings.agent.prior:
        return read(settings.agent.prior)
    training = training_set(episodes)
    if training is None:
        agent, done, command = words
        raise UsageError(
            f"agent '{agent}' answers as a training set does, and there is none in the set or beside it; {done} "
            f"one with `vantage {command}` and name the file with --set agent.prior=FILE"
        )
    return learn(training)


def training_set(episodes: str | Path | None) -> EpisodeSet | None:
    """The set in the folder ``train`` of a set, or else beside it; None where there is no other than the set itself."""
    if not episodes:
        return None
    folder = Path(episodes).resolve()
    places = folder / TRAINING, folder.with_name(TRAINING)
    return next((load_set(place) for place in places if place != folder and place.is_dir()), None)
