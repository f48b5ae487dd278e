"""How premises are treated: NoisyEQA's three ways to answer (arXiv 2412.10726, section 4), as steps that are taken.

``plain`` is the control: it trusts every premise. Where nothing fits a description it takes what fits most of it, and
answers as if nothing were wrong. It looks around, and looks on, as the others do.

``nap`` checks the question once against what was seen. It notices when nothing fits a description as it is worded, puts
one wrong attribute, place or number right, asks back where several things may be meant, and says what is not there.

``nacot`` goes step by step. Do all named things exist? Do the attributes agree, also where two of them are wrong at
once? By looks, function and meaning, is there something that must be meant instead? Then come the explanation and the
answer.

The ways differ in nothing but these steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from vantage.errors import UnknownNameError
from vantage.registry import did_you_mean


@dataclass(frozen=True)
class Mode:
    """The steps of one way.

    Attributes:
        checks: premises are checked at all.
        most_together: conditions of one description that are found to be wrong at once.
        substitutes: a thing that is not there may be another one that looks alike or is related.
    """

    name: str
    checks: bool
    most_together: int
    substitutes: bool


PLAIN = Mode("plain", checks=False, most_together=0, substitutes=False)
NAP = Mode("nap", checks=True, most_together=1, substitutes=False)
NACOT = Mode("nacot", checks=True, most_together=2, substitutes=True)
MODES = {mode.name: mode for mode in (PLAIN, NAP, NACOT)}


def mode_of(name: str) -> Mode:
    """The mode of a name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in MODES:
        raise UnknownNameError(f"unknown mode '{name}'{did_you_mean(name, list(MODES))}")
    return MODES[name]
