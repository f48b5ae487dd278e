"""How far several raters agree, and how far judges agree with people: Krippendorff's alpha and Spearman's rho."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from vantage.benchmarks.statistics import (
    MOST_VALUES,
    Figure,
    Level,
    aligned,
    alpha_over_scenes,
    interval,
    number,
    spearman_over_scenes,
)
from vantage.reports.ratings import Kind, Rating, Who

_LEVELS = {
    Kind.MARK: (Level.ORDINAL, Level.INTERVAL),
    Kind.VERDICT: (Level.NOMINAL,),
    Kind.CORRECTNESS: (Level.NOMINAL,),
    Kind.REVIEW: (Level.NOMINAL,),
}
_HEAD = ("about", "rated", "by", "raters", "alpha", "95 % interval", "units", "level")


@dataclass(frozen=True)
class RaterAlpha:
    """How far raters agree on one kind of rating.

    Attributes:
        raters: who rated something that another one rated too.
        alpha: over the units that two raters or more rated.
        alone: units that one rater alone rated.
    """

    about: str
    kind: Kind
    who: Who
    level: Level
    raters: tuple[str, ...]
    alpha: Figure
    alone: int


@dataclass(frozen=True)
class PeopleAgainstJudge:
    """How the mean marks of people and those of a judge go together."""

    about: str
    judge: str
    spearman: Figure


@dataclass(frozen=True)
class Disagreement:
    """A unit to which raters gave different words; ``values`` by rater."""

    about: str
    kind: Kind
    who: Who
    unit: tuple[str, ...]
    values: dict[str, str]


@dataclass(frozen=True)
class RaterAgreement:
    """All of it: what cannot be said for want of a second rater is left out."""

    alphas: tuple[RaterAlpha, ...]
    against_judges: tuple[PeopleAgainstJudge, ...]
    disagreements: tuple[Disagreement, ...]

    def text(self) -> str:
        """For a terminal."""
        rows = [
            (
                each.about,
                each.kind.value,
                each.who.value,
                str(len(each.raters)),
                number(each.alpha.value),
                interval(each.alpha),
                str(each.alpha.n),
                each.level.value,
            )
            for each in self.alphas
        ]
        blocks = [aligned([_HEAD, *rows], (3, 4, 6))] if rows else []
        blocks += [
            f"people against {each.judge} on {each.about}: Spearman {number(each.spearman.value)} "
            f"{interval(each.spearman)}, {each.spearman.n} answers"
            for each in self.against_judges
        ]
        people = [each for each in self.disagreements if each.who is Who.PEOPLE]
        blocks += [
            f"{each.about}: {each.kind.value} of {' '.join(filter(None, each.unit))}: "
            + ", ".join(f"{rater} {value}" for rater, value in each.values.items())
            for each in people
        ]
        return "\n".join(blocks) if blocks else "no two raters rated the same; give what others made of it too"


def rater_agreement(ratings: Iterable[Rating]) -> RaterAgreement:
    """How far those agree who rated the same."""
    groups: dict[tuple[str, Kind, Who], list[Rating]] = {}
    for rating in ratings:
        groups.setdefault((rating.about, rating.kind, rating.who), []).append(rating)
    ordered = sorted(groups.items(), key=lambda item: (item[0][0], item[0][1].name, item[0][2].name))
    alphas = [alpha for key, members in ordered for alpha in _alphas(*key, members)]
    disagreements = [each for key, members in ordered for each in _disagreements(*key, members)]
    marks = {key[0]: members for key, members in ordered if key[1:] == (Kind.MARK, Who.PEOPLE)}
    against = [
        each
        for about, people in marks.items()
        for each in _against(about, people, groups.get((about, Kind.MARK, Who.JUDGES), []))
    ]
    return RaterAgreement(tuple(alphas), tuple(against), tuple(disagreements))


def _units(members: Sequence[Rating]) -> dict[tuple[str, ...], list[Rating]]:
    found: dict[tuple[str, ...], list[Rating]] = {}
    for rating in sorted(members, key=lambda item: (item.unit, item.rater)):
        found.setdefault(rating.unit, []).append(rating)
    return found


def _alphas(about: str, kind: Kind, who: Who, members: Sequence[Rating]) -> Iterator[RaterAlpha]:
    units = _units(members)
    shared = {unit: rated for unit, rated in units.items() if len(rated) > 1}
    if not shared:
        return
    scenes = [_scene(rated) for rated in shared.values()]
    values = [[rating.value for rating in rated] for rated in shared.values()]
    raters = tuple(sorted({rating.rater for rated in shared.values() for rating in rated}))
    different = len({value for given in values for value in given})
    for level in _LEVELS[kind]:
        if level is not Level.INTERVAL and different > MOST_VALUES:
            continue  # a score rather than a mark, of which intervals alone tell
        title = f"{kind.value} by {who.value}"
        alpha = alpha_over_scenes(f"{kind.value}_{level.value}", title, scenes, values, level)
        yield RaterAlpha(about, kind, who, level, raters, alpha, len(units) - len(shared))


def _scene(rated: Sequence[Rating]) -> str:
    return next((rating.scene for rating in rated if rating.scene), "")


def _disagreements(about: str, kind: Kind, who: Who, members: Sequence[Rating]) -> Iterator[Disagreement]:
    if kind is Kind.MARK:
        return
    for unit, rated in _units(members).items():
        if len({rating.value for rating in rated}) > 1:
            yield Disagreement(about, kind, who, unit, {rating.rater: str(rating.value) for rating in rated})


def _against(about: str, people: Sequence[Rating], judges: Sequence[Rating]) -> Iterator[PeopleAgainstJudge]:
    by_people = {
        unit: (_scene(rated), fmean(float(rating.value) for rating in rated)) for unit, rated in _units(people).items()
    }
    for judge in sorted({rating.rater for rating in judges}):
        both = [rating for rating in judges if rating.rater == judge and rating.unit in by_people]
        if not both:
            continue
        figure = spearman_over_scenes(
            "spearman",
            f"people against {judge}",
            [by_people[rating.unit][0] or rating.scene for rating in both],
            [by_people[rating.unit][1] for rating in both],
            [float(rating.value) for rating in both],
            note="Spearman's rho of the mean mark of people and the mark of the judge",
        )
        yield PeopleAgainstJudge(about, judge, figure)
