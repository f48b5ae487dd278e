"""Whether the evidence for a question was gathered until an answer was given: seen, lifted, opened. From the bag."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.benchmarks.judging import GROUNDED_AT
from vantage.recording import PlaceEvidence, Recording
from vantage.types import TruthQuestion

MISUSED = "misused"
UNSEEN, UNLIFTED, UNOPENED = "not seen", "not lifted", "not opened"


@dataclass(frozen=True)
class Missing:
    """What was never gathered of the evidence for a question, instance ids each."""

    unseen: tuple[int, ...] = ()
    unlifted: tuple[int, ...] = ()
    unopened: tuple[int, ...] = ()

    @property
    def named(self) -> dict[str, tuple[int, ...]]:
        """The instance ids by what was not done with them; nothing where all was gathered."""
        named = {UNSEEN: self.unseen, UNLIFTED: self.unlifted, UNOPENED: self.unopened}
        return {word: members for word, members in named.items() if members}

    @property
    def causes(self) -> tuple[str, ...]:
        """In words; ``misused`` alone where all was gathered."""
        return tuple(self.named) or (MISUSED,)


def missing_for(recording: Recording, evidence: PlaceEvidence, gold: TruthQuestion, stamp: int) -> Missing:
    """What of the evidence for a question was not gathered until a look.

    A target counts as seen where a look showed enough of it to recognise it, or, of bags without that, at least the
    share of it that grounds an answer.

    Args:
        stamp: of the look, ns.
    """
    seen = set(evidence.seen_until(stamp))
    if not evidence.looks:
        frames = [shown for at, shown in recording.visibility.items() if at <= stamp]
        seen = {target for shown in frames for target, fraction in shown.items() if fraction >= GROUNDED_AT}
    lifted, opened = evidence.lifted_until(stamp), evidence.opened_until(stamp)
    return Missing(
        tuple(target for target in gold.target_instances if target not in seen),
        tuple(target for target in gold.to_weigh if target not in lifted),
        tuple(target for target in gold.to_open if target not in opened),
    )
