"""What a bag tells in words: of a step, of the house, and what was asked, answered and judged."""

from __future__ import annotations

from vantage.benchmarks.statistics import EpisodeScore
from vantage.reports import noise_rows, score_rows
from vantage.types import Answer, TruthQuestion
from vantage.web.bag_story import Story
from vantage.web.overlay import BUMPED, EVIDENCE, GOAL, NOW, PATH


def of_house(story: Story) -> str:
    """What the pictures of a house show and lack."""
    stands = any(step.posture is not None for step in story.steps)
    robot = "with the robot as it stood" if stands else "without the robot, for the bag does not say how it stood"
    if story.truth is None:
        return (
            f"The house is rendered as it is at the start, {robot}: where things were moved to is gold data, which is "
            "not shown or not recorded here."
        )
    return f"The house is rendered with things, doors and drawers where they are at this step, {robot}."


def legend(story: Story) -> None:
    """What the lines and dots over the renders are; of what is not in the bag, nothing."""
    from nicegui import ui

    kinds = [(PATH, "way and earlier looks"), (NOW, "this look")]
    if story.collisions:
        kinds.append((BUMPED, "collision"))
    if any(answer.evidence for answer in story.answers):
        kinds.append((EVIDENCE, "evidence of the answer"))
    if story.truth is not None and story.truth.goal is not None:
        kinds.append((GOAL, "goal, gold data"))
    with ui.element("div").classes("bar note").props('role=list aria-label="Colours over the renders"'):
        for color, what in kinds:
            with ui.element("span").props("role=listitem"):
                ui.element("span").classes("key").style(f"background: {color}")
                ui.label(what).style("display: inline")
        ui.label("(faint: hidden behind something)")


def told(story: Story, number: int) -> str:
    """What happened in a step and what was meant next, in words."""
    step = story.steps[number]
    phase = story.phase_of(number)
    parts = [f"Step {number} of {len(story.steps) - 1}" + (f", phase {phase}" if phase else "")]
    if step.action:
        status = "" if step.status is None else step.status.name.lower().replace("_", " ")
        parts.append(f"{step.action}: {status}" + (f" ({step.reason})" if step.reason else ""))
    if step.doing:
        parts.append(f"intention: {step.doing}")
    if step.known is not None:
        parts.append(f"{step.known:.0%} of the space seen")
    seen = ", ".join(sorted({box.label for box in step.boxes}))
    return "; ".join(parts) + (f". Made out: {seen}." if seen else ".")


def facts(story: Story, score: EpisodeScore | None) -> None:
    """The table of what was asked, answered and judged; texts are escaped by the framework."""
    from nicegui import ui

    rows = fact_rows(story, score)
    ui.html("What was asked and answered", sanitize=True, tag="h2")
    with ui.element("dl").style("display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: 0.2rem 0.8rem"):
        for name, value in rows:
            above = "0.5rem" if name == "Question" else "0"
            with ui.element("dt").classes("note").style(f"margin-top: {above}"):
                ui.label(name)
            with ui.element("dd").style(f"margin: {above} 0 0"):
                ui.label(value[:2000]).classes("text")


def fact_rows(story: Story, score: EpisodeScore | None) -> list[tuple[str, str]]:
    """Names and values; gold and judge only where a score is given."""
    rows = [("Agent", f"{story.agent or 'not said'}, perception {story.perception or 'none'}")]
    rows.append(("State", story.state.name.lower() + (f": {story.reason}" if story.reason else "")))
    questions = () if story.episode is None else story.episode.questions
    answers, golds = list(story.answers), list(() if score is None or story.truth is None else story.truth.questions)
    for question in questions:
        key = question.question_id, question.phase
        rows.append(("Question", question.text + (f" (phase {question.phase})" if len(story.phases) > 1 else "")))
        for answer in [each for each in answers if (each.question_id, each.phase) == key]:
            answers.remove(answer)
            rows += _answer_rows(answer)
        for gold in [each for each in golds if (each.question_id, each.phase) in (key, (key[0], ""))]:
            golds.remove(gold)
            rows += _gold_rows(gold)
            break
    rows += [row for answer in answers for row in _answer_rows(answer)]  # to what was not asked
    if score is None:
        return rows
    rows += [row for gold in golds for row in _gold_rows(gold)]  # of phases that did not begin
    if score.complete:
        rows += score_rows(score)
    else:
        rows.append(("Not scored", score.incomplete_reason))
    return rows


def _answer_rows(answer: Answer) -> list[tuple[str, str]]:
    verdict = answer.verdict.name.lower().replace("_", " ")
    said = f"{answer.text or '(none)'} ({verdict}, confidence {answer.confidence:.2f})"
    return [("Answer", said), *noise_rows(answer)]


def _gold_rows(gold: TruthQuestion) -> list[tuple[str, str]]:
    rows = [("Gold answer", gold.answer or "none: the object is absent")]
    if not gold.premise_holds:
        rows.append(("False premise", f"{gold.noise_type.name.lower()}: {gold.false_claim}; {gold.correction}"))
    return rows
