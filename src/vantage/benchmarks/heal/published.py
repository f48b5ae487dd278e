"""What HEAL published: the figures of its tables 1 to 3, 7, 8 and 11, and the model cards of table 12.

``published.tsv`` has one figure a line, with its table and the row of that table; ``model_cards.tsv`` has table 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vantage.errors import FormatError
from vantage.files import read_text

SOURCE = (
    "HEAL: An Empirical Study on Hallucinations in Embodied Agents Driven by Large Language Models, tables 1, 2, 3, 7, "
    "8, 11 and 12"
)
_FOLDER = Path(__file__).parent
_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class PublishedFigure:
    """One figure.

    Attributes:
        table, row: where it stands in the paper, rows counted from 1 without heads.
        figure: its key here, such as ``c_o``; ``p_o_image``, ``p_o_text``, ``p_o_both`` by what shows the scene; ``n``.
        value: percent, or a number of items.
    """

    table: int
    row: int
    model: str
    mitigation: str
    environment: str
    transformation: str
    figure: str
    value: float


@dataclass(frozen=True)
class ModelCard:
    """A row of table 12."""

    model: str
    identifier: str
    hosting: str


@lru_cache(maxsize=1)
def published_figures() -> tuple[PublishedFigure, ...]:
    """All that were published.

    Raises:
        FormatError: the file was changed.
    """
    name = "published.tsv"
    try:
        return tuple(map(_figure, _rows(name, 8)))
    except ValueError as error:
        raise FormatError(f"{_FOLDER / name}: {error}; restore the file") from error


def _figure(cells: Sequence[str]) -> PublishedFigure:
    table, row, model, mitigation, environment, transformation, figure, value = cells
    return PublishedFigure(int(table), int(row), model, mitigation, environment, transformation, figure, float(value))


@lru_cache(maxsize=1)
def model_cards() -> tuple[ModelCard, ...]:
    """
    Raises:
        FormatError: the file was changed.
    """
    return tuple(ModelCard(*cells) for cells in _rows("model_cards.tsv", 3))


def published_json() -> dict[str, Any]:
    """All of it as plain data."""
    return {
        "source": SOURCE,
        "figures": [asdict(each) for each in published_figures()],
        "model_cards": [asdict(each) for each in model_cards()],
    }


def _rows(name: str, columns: int) -> Sequence[list[str]]:
    lines = read_text(_FOLDER / name, _MOST_BYTES).splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    wrong = next((number for number, cells in enumerate(rows, start=2) if len(cells) != columns), 0)
    if wrong:
        raise FormatError(f"{_FOLDER / name}, line {wrong}: expected {columns} columns; restore the file")
    return rows
