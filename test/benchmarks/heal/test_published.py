"""The paper's figures: all of them, as they stand there, and beside ours without a mixture."""

from __future__ import annotations

from collections import Counter

import pytest

from vantage.benchmarks.heal.heal_figures import Setup
from vantage.benchmarks.heal.published import model_cards, published_figures, published_json
from vantage.benchmarks.heal.published_tables import published_tables


def value(table: int, model: str, transformation: str, figure: str, mitigation: str = "none") -> float:
    found = [
        each.value
        for each in published_figures()
        if (each.table, each.model, each.transformation, each.figure, each.mitigation)
        == (table, model, transformation, figure, mitigation)
        and each.environment == "virtualhome"
    ]
    assert len(found) == 1
    return found[0]


def test_every_table_is_whole() -> None:
    assert Counter(each.table for each in published_figures()) == {1: 24 * 14, 2: 9, 3: 72, 7: 60, 8: 10, 11: 8}
    assert sum(each.value for each in published_figures() if each.table == 11) == 2574
    assert len(model_cards()) == 14
    assert len(published_json()["figures"]) == len(published_figures())
    assert all(0 <= each.value <= 100 for each in published_figures() if each.table != 11)


def test_figures_are_those_of_the_paper() -> None:
    assert value(1, "Llama-3-8B-Instruct", "scene_task_con", "c_o") == 38.5
    assert value(3, "Qwen-14B-Instruct", "dist_inj", "p_o", "scw") == 0.3
    assert value(7, "Gemini 2.5 Flash", "synonym_sub", "paper_base_f1") == 43.2
    assert value(8, "Gemini 2.0 Flash", "scene_task_con", "refusal") == 73.71


def test_ours_stand_beside_and_are_told_apart() -> None:
    plain, told = Setup("stand-in:x", "none", "interpreter"), Setup("stand-in:x", "scw", "interpreter")
    figures = {
        (setup, "virtualhome", "all"): {"dist_inj": {"n": 3, "c_o": 12.0, "p_o": 34.0, "paper_f1": float("nan")}}
        for setup in (plain, told)
    }
    tables = {table.title: table for table in published_tables(figures)}
    assert len(tables) == 8
    for table in tables.values():
        assert all(len(row) == len(table.head) for row in table.rows)
    first = tables["Hallucination, % (table 1)"].rows
    assert [row[0] for row in first if not row[0].startswith("paper: ")] == ["stand-in:x"]
    assert sum(row[0].startswith("paper: ") for row in first) == 24
    assert "stand-in:x + scw" in [row[0] for row in tables["Mitigation, % (table 3)"].rows]
    assert tables["P_O of DistInj, % (table 2)"].rows[-1][3:] == ("-", "34.0", "-")
    assert ("virtualhome", "DistInj", "338", "3") in tables["Items (table 11)"].rows
    assert tables["Models (table 12)"].rows[-1] == ("stand-in:x", "x", "no weights")


@pytest.mark.parametrize("shown", ["image", "both"])
def test_what_shows_the_scene_has_a_column_of_its_own(shown: str) -> None:
    setup = Setup("openai:eyes", "none", "interpreter", shown)
    figures = {(setup, "virtualhome", "all"): {"dist_inj": {"n": 3, "p_o": 34.0}}}
    table = next(table for table in published_tables(figures) if "table 2" in table.title)
    assert table.rows[-1][3:] == (("34.0", "-", "-") if shown == "image" else ("-", "-", "34.0"))
