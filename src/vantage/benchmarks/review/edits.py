"""Texts of an item that reviewers may edit, and how an edit is checked: as the set itself is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vantage.benchmarks.review.accepted import write_accepted
from vantage.benchmarks.sets import EpisodeSet, load_truths, save_set
from vantage.errors import FormatError, VantageError
from vantage.registry import did_you_mean
from vantage.types import Episode, Truth, TruthQuestion

_QUESTION = "question"
_GOLD = {
    "answer": "Answer",
    "false_claim": "Falsehood",
    "correction": "Correction",
    "corrected_question": "Corrected question",
}


@dataclass(frozen=True)
class TextField:
    """One text: its name in files, how people call it, and what it is now."""

    name: str
    title: str
    text: str


def text_fields(episode_set: EpisodeSet, names: Sequence[str]) -> tuple[TextField, ...]:
    """The texts of the episodes of an item that can be edited: questions and what gold data say in words. What several
    episodes ask alike is one text; empty ones are not offered.

    Raises:
        FormatError: the gold data cannot be read.
    """
    episodes = _members(episode_set, names)
    truths = load_truths(episode_set.folder, episode_set.episodes)
    found: dict[str, TextField] = {}
    numbers: dict[str, int] = {}
    for episode in episodes:
        for question in episode.questions:
            number = numbers.setdefault(question.text, len(numbers) + 1)
            field = TextField(f"{number}.{_QUESTION}", f"Question {number}", question.text)
            found.setdefault(field.name, field)
            gold = next((each for each in truths[episode.episode_id].questions if each.is_about(question)), None)
            for field in _gold_fields(number, gold):
                found.setdefault(field.name, field)
    return tuple(found.values())


def _gold_fields(number: int, gold: TruthQuestion | None) -> Iterator[TextField]:
    for name, title in _GOLD.items():
        text = "" if gold is None else getattr(gold, name)
        if text:
            yield TextField(f"{number}.{name}", f"{title} {number}", text)


def edited(
    episode_set: EpisodeSet, names: Sequence[str], edits: Mapping[str, str]
) -> tuple[dict[str, Episode], dict[str, Truth]]:
    """The episodes and the gold data of an item with its new texts, by episode id.

    Raises:
        FormatError: it has no such text, or the new one is empty.
    """
    known = {field.name: field for field in text_fields(episode_set, names)}
    for name, text in edits.items():
        if name not in known:
            raise FormatError(f"the item has no text '{name}' to edit{did_you_mean(name, list(known))}")
        if not text.strip():
            raise FormatError(f"{known[name].title} must not be empty; write a text or reject the item")
    numbers = {field.text: int(name.split(".")[0]) for name, field in known.items() if name.endswith(_QUESTION)}
    truths = load_truths(episode_set.folder, episode_set.episodes)
    episodes: dict[str, Episode] = {}
    golds: dict[str, Truth] = {}
    for episode in _members(episode_set, names):
        questions, gold = {}, list(truths[episode.episode_id].questions)
        for question in episode.questions:
            number = numbers[question.text]
            new = {name: edits[f"{number}.{name}"].strip() for name in _GOLD if f"{number}.{name}" in edits}
            gold = [replace(each, **new) if each.is_about(question) else each for each in gold]  # type: ignore[arg-type]
            text = edits.get(f"{number}.{_QUESTION}", question.text).strip()
            questions[question.key] = replace(question, text=text)
        phases = [
            replace(one, questions=tuple(questions[each.key] for each in one.questions)) for one in episode.phases
        ]
        episodes[episode.episode_id] = replace(episode, questions=tuple(questions.values()), phases=tuple(phases))
        golds[episode.episode_id] = replace(truths[episode.episode_id], questions=tuple(gold))
    return episodes, golds


def edit_problems(
    check: Callable[[Path], Sequence[str]], episode_set: EpisodeSet, names: Sequence[str], edits: Mapping[str, str]
) -> list[str]:
    """What the set's own checks find wrong with an edited item that is right with it as it stands; one sentence each.

    Args:
        check: tells what is wrong with the set in a folder, which is that item alone, before and after.

    Raises:
        FormatError: it has no such text, or the new one is empty.
    """
    edited(episode_set, names, edits)  # refuses what is none before anything is copied
    with tempfile.TemporaryDirectory(prefix="vantage-review-") as scratch:
        alone = write_accepted(episode_set, set(names), Path(scratch) / "set")
        before = set(check(alone.folder))
        try:
            with_edits(alone, {"": names}, {"": edits})
            after = check(alone.folder)
        except VantageError as error:
            after = [str(error)]
        return [problem for problem in after if problem not in before]


def with_edits(
    episode_set: EpisodeSet, items: Mapping[str, Sequence[str]], edits: Mapping[str, Mapping[str, str]]
) -> EpisodeSet:
    """Write a set anew in its folder with the edits of its items.

    Args:
        items: episode ids by the item's key.
        edits: new texts by the item's key.

    Raises:
        FormatError: an item has no such text.
    """
    episodes = {episode.episode_id: episode for episode in episode_set.episodes}
    truths = dict(load_truths(episode_set.folder, episode_set.episodes))
    for key, texts in edits.items():
        changed, golds = edited(episode_set, items[key], texts)
        episodes |= changed
        truths |= golds
    kept = [episodes[episode.episode_id] for episode in episode_set.episodes]
    return save_set(episode_set.folder, episode_set.info, kept, [truths[each.episode_id] for each in kept])


def _members(episode_set: EpisodeSet, names: Sequence[str]) -> list[Episode]:
    return [episode for episode in episode_set.episodes if episode.episode_id in set(names)]
