"""Which versions of the view rule stand behind scores, and a sentence where they are not one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vantage.benchmarks.statistics import EpisodeScore
from vantage.types import VIEW_RULE


def view_rules(scores: Iterable[EpisodeScore]) -> tuple[int, ...]:
    """The versions by which the looks of scores were judged, in order; none where no look was."""
    return tuple(sorted({score.view_rule for score in scores if score.view_rule}))


def named_rules(versions: Sequence[int]) -> str:
    """``view rule 1`` or ``view rules 1 and 2``; empty without any."""
    if not versions:
        return ""
    return f"view rule{'s' if len(versions) > 1 else ''} {' and '.join(map(str, versions))}"


def rule_warning(scores: Sequence[EpisodeScore]) -> str:
    """What does not compare because the view rule changed, in words; empty where all is of one version."""
    judged = [score for score in scores if score.view_rule]
    told = []
    used = view_rules(judged)
    if len(used) > 1:
        told.append(f"Looks were judged by {named_rules(used)}, which do not compare; score the bags of each apart.")
    elif used and used[0] < VIEW_RULE:
        told.append(
            f"Looks were judged by {named_rules(used)}, an older one; new sets are labelled and judged by {VIEW_RULE}, "
            "whose figures do not compare with these."
        )
    apart = [score for score in judged if score.set_view_rule != score.view_rule]
    if apart:
        sets = named_rules(sorted({score.set_view_rule for score in apart}))
        told.append(
            f"{len(apart)} of {len(scores)} episodes are of sets made under {sets}, and their looks were judged by "
            f"{named_rules(view_rules(apart))}; make the sets again before figures are compared."
        )
    return " ".join(told)
