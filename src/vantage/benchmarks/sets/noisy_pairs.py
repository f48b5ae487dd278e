"""The pairs of a set about false premises: which two episodes belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.types import Episode, Truth, TruthQuestion

NOISY, CLEAN = "noisy", "clean"


@dataclass(frozen=True)
class Half:
    """One question of a pair."""

    episode: Episode
    truth: Truth

    @property
    def text(self) -> str:
        return self.episode.questions[0].text

    @property
    def gold(self) -> TruthQuestion:
        return self.truth.questions[0]


@dataclass(frozen=True)
class Pair:
    """A question with a false premise and its twin."""

    noisy: Half
    clean: Half


def episode_name(pair_id: str, half: str) -> str:
    """The episode id of one half of a pair."""
    return f"{pair_id}-{half}"


def pair_name(episode_id: str) -> tuple[str, str]:
    """The id of the pair that an episode belongs to, and which half it is; empty where its id tells no half."""
    pair_id, _, half = episode_id.rpartition("-")
    return (pair_id, half) if half in (NOISY, CLEAN) else (episode_id, "")


def pairs_of(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[dict[str, Pair], list[str]]:
    """All pairs by id, and what is wrong with the pairing, one sentence each."""
    halves: dict[str, dict[str, Half]] = {}
    problems: list[str] = []
    for episode in episode_set.episodes:
        pair_id, half = pair_name(episode.episode_id)
        if not half:
            problems.append(
                f"episode '{episode.episode_id}' is no half of a pair; its id must end with -noisy or -clean"
            )
        elif len(episode.questions) != 1:
            problems.append(f"episode '{episode.episode_id}' has {len(episode.questions)} questions; it needs one")
        else:
            halves.setdefault(pair_id, {})[half] = Half(episode, truths[episode.episode_id])
    pairs: dict[str, Pair] = {}
    for pair_id, found in halves.items():
        lacking = [half for half in (NOISY, CLEAN) if half not in found]
        if lacking:
            problems.append(f"pair '{pair_id}' has no {lacking[0]} half")
            continue
        noisy, clean = found[NOISY].episode, found[CLEAN].episode
        pairs[pair_id] = Pair(found[NOISY], found[CLEAN])
        problems += [
            f"the halves of pair '{pair_id}' differ in their {what}"
            for what, same in (
                ("scene", noisy.scene == clean.scene),
                ("start", noisy.start == clean.start),
                ("number of steps", noisy.max_steps == clean.max_steps),
            )
            if not same
        ]
    return pairs, problems
