"""How one kind of thing may come to be named for another: they look alike, or are related in meaning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vantage.questions.lexicon.appearance import confusable, looks
from vantage.questions.lexicon.related_kinds import may_be_called, semantic_neighbours
from vantage.questions.lexicon.synonyms import canonical
from vantage.types import NoiseType

_FAINTLY = 0.1  # of a likeness that only counts together with attributes
_CALLED_SO = 1.0  # nearness of kinds of which one may be called by the other's name


@dataclass(frozen=True)
class Kinship:
    """What two kinds have in common.

    Attributes:
        likeness: of their looks, 0..1.
        nearness: of their meanings, 0..1.
        fair: what was seen may be called by the name of the other.
    """

    likeness: float
    nearness: float
    fair: bool = False

    def __bool__(self) -> bool:
        return self.strength > 0.0

    @property
    def strength(self) -> float:
        """For comparison with others."""
        return self.likeness + self.nearness

    @property
    def noise(self) -> NoiseType:
        """What goes wrong when one is named for the other, if anything: seeing, where they look alike, else words."""
        if self.fair:
            return NoiseType.NONE
        return NoiseType.PERCEPTION if self.likeness > 0.0 else NoiseType.SEMANTIC


SAME = Kinship(1.0, 1.0, fair=True)


def kinship(named: str, seen: str, attributes: int = 0) -> Kinship:
    """What the kind that a question names and a kind that was seen have in common, whichever way round.

    Args:
        attributes: of what was named that the thing which was seen has. With one, the same outline at another size
            makes a likeness, with two, no more is needed.
    """
    found = _kinship(canonical(named), canonical(seen))
    if not found and (attributes > 1 or (attributes == 1 and _same_outline(canonical(named), canonical(seen)))):
        return Kinship(_FAINTLY, 0.0)
    return found


@lru_cache(maxsize=4096)
def _kinship(one: str, other: str) -> Kinship:
    alike = other in _canonical(confusable(one)) or one in _canonical(confusable(other))
    if may_be_called(other, one):
        return Kinship(float(alike), _CALLED_SO, fair=True)
    nearness = max(_nearness(one, other), _nearness(other, one))
    return Kinship(float(alike), nearness or (_CALLED_SO if may_be_called(one, other) else 0.0))


def _canonical(labels: tuple[str, ...]) -> set[str]:
    return {canonical(label) for label in labels}


def _nearness(one: str, other: str) -> float:
    found = (near.similarity for near in semantic_neighbours(one) if canonical(near.label) == other)
    return max(found, default=0.0)


def _same_outline(one: str, other: str) -> bool:
    first, second = looks().get(one), looks().get(other)
    return first is not None and second is not None and first.form == second.form != ""
