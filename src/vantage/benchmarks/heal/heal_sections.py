"""HEAL's part of a score: tables of replies, and of tasks that were carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.benchmarks.heal.errand_tables import errand_section, errands_in
from vantage.benchmarks.heal.heal_tables import section
from vantage.benchmarks.sections import Section
from vantage.benchmarks.statistics import EpisodeScore


def all_sections(scores: Sequence[EpisodeScore]) -> Section | None:
    """Both in one; None where there is neither."""
    acted = errand_section(scores)
    told = section([each for each in scores if not errands_in([each])])
    if told is None or acted is None:
        return told or acted
    return replace(
        told,
        rules=f"{told.rules} {acted.rules}",
        tables=(*told.tables, *acted.tables),
        data={**told.data, **acted.data},
    )
