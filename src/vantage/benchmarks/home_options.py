"""Options of all benchmarks that ask questions in homes: what homes are generated, and how many actions are allowed.

Nothing heavy is imported here, because the command line reads the options of all benchmarks.
"""

from __future__ import annotations

from vantage.benchmarks.protocol import Option, read_areas

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
BUDGET = Option(
    "budget",
    "actions that each question allows: a number, or per_square_metre=N,at_least=M of floor that the camera reaches",
    metavar="ACTIONS",
)
