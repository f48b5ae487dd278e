"""What runs were made with, and their figures by category."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, SHARES
from vantage.benchmarks.setup_tables import setup_figures
from vantage.benchmarks.statistics import EpisodeScore, Figure, mean_over_scenes

ALL = "all"
_NAMES = {"judge_score": ("mark", "Mark"), "c": ("normalised", "Normalised")}  # as this benchmark calls them


@dataclass(frozen=True)
class Setup:
    """What a run was made with.

    Attributes:
        model: who answered, as answers say it: ``symbolic/nacot``, ``NAME/pilot#1a2b3c4d``.
        control: such as ``start=goal,frames=3``; empty without one.
    """

    agent: str
    perception: str
    model: str
    control: str
    judge: str
    judge_version: str

    @staticmethod
    def of(score: EpisodeScore) -> Setup:
        """Of one episode."""
        return Setup(score.agent, score.perception, score.model, score.control, score.judge, score.judge_version)

    @property
    def name(self) -> str:
        """How tables call it among those of one judge."""
        seen = "" if self.perception == "none" else self.perception
        return ", ".join(filter(None, (self.agent, self.control, seen, self.model)))

    @property
    def marked(self) -> str:
        """Who marked, in words; names of models have the version of their prompts already."""
        of_model = not self.judge_version or self.judge.startswith("model:")
        return self.judge if of_model else f"{self.judge} {self.judge_version}"

    @property
    def title(self) -> str:
        """How it is called among all."""
        return f"{self.name} [{self.marked}]"

    @property
    def conditions(self) -> dict[str, str]:
        """The control's settings by name."""
        return dict(item.partition("=")[::2] for item in self.control.split(",") if item)

    def without(self, *names: str) -> Setup:
        """The setup but for settings of its control."""
        kept = {key: value for key, value in self.conditions.items() if key not in names}
        return replace(self, control=",".join(f"{key}={value}" for key, value in kept.items()))

    def distance(self, other: Setup) -> int:
        """In how many things two setups differ: agent, perception, who answers, each setting of the control.

        A perception or a model that one of them has none of does not count; how a model is asked counts for the same
        agent alone, and where its kind of prompt differs, it is that which counts.
        """
        models = (self.model, other.model)
        prompts = (self.conditions.get("prompt"), other.conditions.get("prompt"))
        if self.agent != other.agent or prompts[0] != prompts[1]:
            models = (_reasoner(self.model), _reasoner(other.model))
        both = ((self.agent, other.agent), (self.perception, other.perception), models)
        mine, theirs = self.conditions, other.conditions
        return sum(one != two and not {one, two} & {"", "none"} for one, two in both) + sum(
            mine.get(key) != theirs.get(key) for key in mine.keys() | theirs.keys()
        )


def _reasoner(model: str) -> str:
    """Who answers, without how it was asked."""
    return model.rpartition("/")[0] or model


def setups_of(scores: Iterable[EpisodeScore]) -> dict[Setup, list[EpisodeScore]]:
    """The complete episodes of each setup: those of one judge together, and of these the best first."""
    found: dict[Setup, list[EpisodeScore]] = {}
    for score in scores:
        if score.benchmark == BENCHMARK and score.complete:
            found.setdefault(Setup.of(score), []).append(score)
    means = {setup: sum(each.judge_score for each in members) / len(members) for setup, members in found.items()}
    judges = list(dict.fromkeys((setup.judge, setup.judge_version) for setup in found))

    def order(setup: Setup) -> tuple[int, float, str]:
        return judges.index((setup.judge, setup.judge_version)), -means[setup], setup.name

    return {setup: found[setup] for setup in sorted(found, key=order)}


def by_category(scores: Sequence[EpisodeScore]) -> dict[str, tuple[Figure, ...]]:
    """Figures of each category that there is, and of all."""
    groups = {name: [score for score in scores if score.category == name] for name in SHARES}
    found = {name: figures_of(members) for name, members in groups.items() if members}
    return {**found, ALL: figures_of(scores)}


def figures_of(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """Right in words, shown, both, mark, normalised mark, steps, collisions, share of collided steps, and SPL, over
    scenes."""
    scenes = [score.scene for score in scores]
    named: list[Figure] = []
    for figure in setup_figures(scores):
        key, title = _NAMES.get(figure.key, (figure.key, figure.title))
        named.append(replace(figure, key=key, title=title))
    hits = [float(score.collisions) for score in scores]
    return (*named, mean_over_scenes("collisions", "Collisions", scenes, hits))


def figure_named(figures: Sequence[Figure], key: str) -> Figure | None:
    """The one of a key; None where there is none."""
    return next((figure for figure in figures if figure.key == key), None)


Figures = Mapping[Setup, Mapping[str, tuple[Figure, ...]]]
