"""OpenEQA's figure (Majumdar et al. 2024): LLM-Match C by category of question.

C is the mean over questions of 100 * (clip(mark, 1, 5) - 1) / 4. A question without an answer counts 0, as a mark of 1
does; one to which the judge gave no mark is left out and reported. Noisy twins are not part of the data set.
"""

from __future__ import annotations

from collections.abc import Iterable

from vantage.benchmarks.imported.hm_eqa import BENCHMARK as HM_EQA
from vantage.benchmarks.imported.open_eqa import BENCHMARK as OPEN_EQA
from vantage.benchmarks.statistics.metrics import EpisodeScore, Figure, normalised
from vantage.benchmarks.statistics.scene_bootstrap import mean_over_scenes

BENCHMARKS = (OPEN_EQA, HM_EQA)
ALL = "all"
_NOTE = "mean of 100 * (mark - 1) / 4; no answer counts 0"


def llm_match(scores: Iterable[EpisodeScore]) -> tuple[Figure, ...]:
    """C of every category, by name, and then over all questions; the key is the category's name."""
    asked = [score for score in scores if score.complete and not score.noisy]
    kinds = sorted({score.kind for score in asked})
    return tuple(_figure(kind, [score for score in asked if kind in (ALL, score.kind)]) for kind in (*kinds, ALL))


def _figure(kind: str, scores: list[EpisodeScore]) -> Figure:
    marks = [normalised(score.judge_score) for score in scores]
    scenes = [score.scene for score in scores]
    return mean_over_scenes(kind, f"C, {kind}", scenes, marks, unit="0-100", note=_NOTE)
