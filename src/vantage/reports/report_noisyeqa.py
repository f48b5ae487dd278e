"""NoisyEQA's tables and reliability plots as a section of a report."""

from __future__ import annotations

from vantage.benchmarks.noisyeqa.noisyeqa_scores import NoisyEqaScores
from vantage.reports.noisyeqa_tables import RULES, Table, name_of, tables
from vantage.reports.reliability_plot import reliability_plot
from vantage.reports.report_text import text


def noisyeqa_section(scores: NoisyEqaScores) -> str:
    """HTML of everything; empty tables are not left out, so that what is missing is seen."""
    blocks = []
    for heading, members in tables(scores):
        blocks.append(f"<h3>{text(heading)}</h3>" + "".join(_table(table) for table in members))
    plots = "".join(
        f"<figure>{reliability_plot(each.reliability, name_of(each.setup))}"
        f"<figcaption>{text(name_of(each.setup))} ({text(each.setup.perception)}, {text(each.setup.reasoner)}): "
        f"ECE {each.overall['ece'].value:.3f}</figcaption></figure>"
        for each in scores.setups
    )
    return (
        f'<section class="tables"><h2>NoisyEQA</h2><p class="soft">{text(RULES)}</p>{"".join(blocks)}'
        f"<h3>Reliability: how often answers are right that the agent is so sure of</h3>"
        f'<div class="plots">{plots}</div></section>'
    )


NUMBER = ' class="number"'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col"{NUMBER if k else ""}>{text(name)}</th>' for k, name in enumerate(table.head))
    rows = "".join(
        f'<tr><th scope="row">{text(row[0])}</th>' + "".join(map(_cell, row[1:])) + "</tr>" for row in table.rows
    )
    return (
        f'<div class="scroll"><table><caption>{text(table.title)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: str) -> str:
    value, space, bounds = cell.partition(" [")
    small = f"<br><small>[{text(bounds)}</small>" if space else ""
    return f'<td class="number">{text(value)}{small}</td>'
