"""Options of all benchmarks that ask questions in homes: what homes are generated, and how many actions are allowed.

Nothing heavy is imported here, because the command line reads the options of all benchmarks.
"""

from __future__ import annotations

from typing import Any

from vantage.benchmarks.protocol import Option, read_areas, read_scenes


def scenes_option(default: Any = None, usual: str = "") -> Option:
    """The homes that are asked about."""
    return Option(
        "scenes",
        "number of homes to generate, or a ProcTHOR file, or a folder of such files and of scenes",
        read_scenes,
        default=default,
        usual=usual,
        metavar="NUMBER|PATH",
        size=True,
    )


ASSETS = Option(
    "assets",
    "AI2-THOR asset database, for sizes and materials in imported houses",
    usual="$VANTAGE_DATA/ai2thor-assets/asset-database.json",
    metavar="FILE",
)

ROOM_AREA = Option(
    "room_area",
    "least and largest floor of a room of generated homes, m2, such as 10-60",
    read_areas,
    usual="usual sizes, 4-22",
    metavar="LOW-HIGH",
    size=True,
)
LAYOUT = Option(
    "layout",
    "of generated homes: closed rooms, open plans, l-shaped rooms, or mixed",
    usual="closed",
    metavar="WHICH",
    size=True,
)
PRINTS = Option(
    "prints",
    "print in generated homes: usual, on the fronts of things; everywhere, also on tops, in containers and large",
    metavar="WHICH",
)
BUDGET = Option(
    "budget",
    "actions that each question allows: a number, or per_square_metre=N,at_least=M of floor that the camera reaches",
    metavar="ACTIONS",
)
