"""Table 2 of EXCALIBUR (Zhu et al., CVPR 2023), as published: of other houses, robots and people than ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedRow:
    """Accuracies and ExQA in percent; ``steps`` is None where the paper tells none."""

    houses: str
    agent: str
    acc_exp: float
    acc_ref: float
    steps: float | None
    exqa: float


_PROCTHOR, _ARCHITECTHOR = "ProcTHOR test", "ArchitecTHOR"
TABLE_2 = (
    PublishedRow(_PROCTHOR, "Random", 41.7, 41.7, None, 41.7),
    PublishedRow(_PROCTHOR, "Language", 53.5, 53.5, None, 53.5),
    PublishedRow(_PROCTHOR, "QA", 58.5, 60.2, 131.2, 60.0),
    PublishedRow(_PROCTHOR, "Novelty", 54.2, 56.5, 99.6, 56.4),
    PublishedRow(_PROCTHOR, "Novelty+QA", 58.7, 63.1, 203.2, 62.4),
    PublishedRow(_ARCHITECTHOR, "Human without replay", 63.6, 87.1, 759.4, 79.4),
    PublishedRow(_ARCHITECTHOR, "Human with replay", 81.3, 94.3, 782.1, 90.1),
)
