"""What episodes and questions of the benchmark are told apart by: phases, types of questions, and relations in them."""

from __future__ import annotations

from vantage.types import Phase

PHASES = tuple(phase.value for phase in (Phase.EXPLORE, Phase.ANSWER, Phase.REENTER, Phase.REFINE))
YES_NO, COUNT, QUERY = TYPES = ("yes/no", "count", "query")
COLOR, MATERIAL, CONTAINED, ADJACENT, ON_TOP, HEAVIER, LARGER = RELATIONS = (
    "color",
    "material",
    "contained",
    "adjacent",
    "on top",
    "heavier",
    "larger",
)
SIZES = ("size", "length")  # quantities that are compared where a relation is larger
