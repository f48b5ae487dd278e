"""What one recorded episode scored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class EpisodeScore:
    """What one recorded episode scored; the fields of EpisodeScore.msg and a little of what they rest on.

    Where ``complete`` is false only the names and ``incomplete_reason`` are valid.

    Attributes:
        model: who answered, as answers say it: reasoner, mode and version of the prompt.
        confidence: mean of the confidences of the answers, 0..1; NaN where nothing was answered.
        verified: whether the checksums of the bag were compared; None of what is not from a bag.
        judge_version: of the judge; marks of different versions do not compare.
        visible: largest visible fraction (0..1), in the evidence and the last frame, of the target seen least; None
            where no target has to be seen.
        figures: what the benchmark measures besides, by name; NaN where it does not apply.
        control: under which the agent ran, such as ``start=goal,frames=3``; empty without one.
        category: of the questions, by the benchmark's gold data.
        pair_id: shared by episodes that ask the same of the same scene from different starts.
        split: part of the benchmark.
        participant: pseudonym of the person who was the agent; empty where none was.
        right: right in words, as ``answer_columns`` defines it; None where the judge does not tell.
        shown: as ``answer_columns`` defines it; None where nothing has to be seen, or where the bag does not tell.
        shortfall: why the look that counts does not show what the question needs, in words; empty where it does.
        view_rule, set_view_rule: version of the view rule that judged the looks, and of that by which the set was
            labelled; 0 where no look was judged.
    """

    episode_id: str
    benchmark: str = ""
    agent: str = ""
    perception: str = ""
    judge: str = ""
    complete: bool = False
    incomplete_reason: str = ""
    judge_score: float = math.nan
    judge_reason: str = ""
    success: bool = False
    steps: int = 0
    oracle_steps: int = 0
    has_oracle: bool = False
    path_length: float = 0.0
    collisions: int = 0
    spl: float = math.nan
    noisy: bool = False
    noise_detected: bool = False
    noise_corrected: bool = False
    false_alarm: bool = False
    messages_dropped: int = 0
    scene: str = ""
    kind: str = ""
    noise_type: str = "NONE"
    question: str = ""
    answer: str = ""
    verdict: str = ""
    visible: float | None = None
    bag: str = ""
    model: str = ""
    confidence: float = math.nan
    verified: bool | None = None
    judge_version: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    control: str = ""
    category: str = ""
    pair_id: str = ""
    split: str = ""
    participant: str = ""
    right: bool | None = None
    shown: bool | None = None
    shortfall: str = ""
    view_rule: int = 0
    set_view_rule: int = 0
