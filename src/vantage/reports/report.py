"""One self-contained HTML page about a folder of bags; nothing in it is fetched from anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from vantage.benchmarks import Setup
from vantage.benchmarks.judging import Judge
from vantage.benchmarks.statistics import COLUMNS, SHOWN, EpisodeScore, interval, number
from vantage.errors import RecordingError
from vantage.html_pages import jpeg_url, render, write_page
from vantage.recording import Recording, read_recording
from vantage.reports.bag_contents import BagContents, read_contents, together
from vantage.reports.charts import coverage_chart, interval_bar, reliability_plot
from vantage.reports.phased_episode import PhasedEpisode, read_phased
from vantage.reports.score_table import Group, ScoreTable
from vantage.reports.scoring import runs_of, score_runs
from vantage.reports.trajectory_plan import Box, Plan, Seen, described, draw, draw_scene, room_of
from vantage.reports.view_rules import named_rules
from vantage.runs import Tell, paced, quiet
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, Key, NoiseType, Status, Truth

_BUDGET = 6_000_000  # bytes of pictures
_MOST_CARDS = 200
_MOST_JOBS = 100  # of the hand, of one episode
_WIDTHS = ((60, 360), (150, 240), (10**9, 160))  # px, by the largest number of episodes


@dataclass(frozen=True)
class Card:
    """One episode of a report.

    Attributes:
        drawing: the way seen from above, as SVG.
        frames: data URLs by caption.
        answers: by phase and question id.
        known: share of the space seen at each look.
        phased: what its phases tell; None where there is one.
    """

    score: EpisodeScore
    episode: Episode
    truth: Truth
    answers: Mapping[Key, Answer]
    drawing: Markup
    frames: Mapping[str, Markup]
    known: Sequence[float]
    phased: PhasedEpisode | None = None

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What is told of the episode: names and values."""
        facts: list[tuple[str, str]] = []
        if self.phased is not None:
            facts += [(f"Phase {name}", line) for name, line in self.phased.lines.items()]
        for question in self.episode.questions if self.phased is None else ():
            facts.append(("Question", question.text))
            answer = self.answers.get(question.key)
            truth = next((item for item in self.truth.questions if item.is_about(question)), None)
            if answer is None:
                facts.append(("Answer", "none was given"))
            else:
                facts.append(
                    ("Verdict", f"{answer.verdict.name.lower().replace('_', ' ')}, confidence {answer.confidence:.2f}")
                )
                facts.append(("Answer", answer.text))
                facts += noise_rows(answer)
            if truth is not None:
                facts.append(("Gold answer", truth.answer or "none: the object is absent"))
                if not truth.premise_holds:
                    facts.append(("False premise", f"{truth.noise_type.name.lower()}: {truth.false_claim}"))
                    facts.append(("In truth", truth.correction))
        return facts + score_rows(self.score)

    @property
    def run(self) -> str:
        """What it was run with, for pages that show several runs of an episode."""
        return ", ".join(filter(None, (Setup.of(self.score).name, self.score.perception, self.score.judge)))


def write_report(
    folders: str | Path | Sequence[str | Path], out: str | Path, judge: Judge | None = None, tell: Tell = quiet
) -> Path:
    """Write the page about all bags of one or several folders, less than 10 MB; returns its path. ``tell`` hears how
    far it is, and which bags are left out.

    Of many episodes only those with the lowest scores are shown one by one; figures are over all of them. Bags that
    cannot be read are named on the page, and stop nothing.

    Raises:
        RecordingError: there is no such folder, or it holds no bag.
    """
    given = [folders] if isinstance(folders, (str, Path)) else list(folders)
    runs = list(dict.fromkeys(run for folder in given for run in runs_of(folder)))
    scored = [(run, score) for run in runs for score in score_runs(run, judge, tell).scores]
    table = ScoreTable(tuple(score for _, score in scored))
    chosen = _shown([(run, score) for run, score in scored if score.complete])
    found: list[tuple[EpisodeScore, Recording, BagContents, PhasedEpisode | None]] = []
    unreadable: dict[str, str] = {}
    for run, score in paced(chosen, "read", tell):
        try:
            recording = read_recording(run if _is_bag(run) else run / score.bag)
            found.append((score, recording, read_contents(recording), read_phased(recording)))
        except RecordingError as error:
            unreadable[score.bag] = str(error)
    scenes = _scenes([recording for _, recording, _, _ in found], [seen for _, _, seen, _ in found])
    width = next(width for most, width in _WIDTHS if len(found) <= most)
    cards, spent = [], 0
    for score, recording, seen, phased in found:
        frames = {caption: jpeg_url(picture, width) for caption, picture in seen.frames.items()}
        size = sum(len(url) for url in frames.values())
        if spent + size > _BUDGET:
            frames = {}
        spent += sum(len(url) for url in frames.values())
        cards.append(_card(recording, score, seen, phased, scenes, frames))
    drawings = [draw_scene(scene.name, scene.objects, scene.room) for scene in scenes.values()]
    name = ", ".join(Path(folder).resolve().name for folder in given)
    write_page(out, _page(name, table, cards, drawings, unreadable))
    for score in table.incomplete:
        tell(f"not scored: {score.bag or score.episode_id}: {score.incomplete_reason}")
    for bag, reason in unreadable.items():
        tell(f"not shown: {bag}: {reason}")
    return Path(out)


def _page(
    name: str, table: ScoreTable, cards: Sequence[Card], drawings: Sequence[Markup], unreadable: Mapping[str, str]
) -> str:
    """The whole page.

    Args:
        drawings: those of the scenes, to which plans refer.
        unreadable: why a bag that is scored cannot be shown, by its name.
    """
    done, left = len(table.complete), len(table.incomplete)
    incomplete = {score.bag or score.episode_id: score.incomplete_reason for score in table.incomplete}
    left_out = (
        ("Incomplete recordings, not scored", incomplete),
        ("Scored, but not readable as a whole and not shown", unreadable),
    )
    return render(
        __package__,
        "report.html",
        name=name,
        summary=f"{done} episodes scored" + (f", {left} incomplete" if left else ""),
        drawings=drawings,
        sections=(*table.sections, *table.comparisons),
        groups=[_group(group) for group in table.groups],
        columns=COLUMNS,
        warning=table.rule_warning,
        left_out=[(heading, reasons) for heading, reasons in left_out if reasons],
        cards=cards,
        episodes=_by_episode(cards),
        compared=len({card.run for card in cards}) > 1,
        noisy=any(card.score.noisy for card in cards),
        shown="" if len(cards) == done else f" Shown: the {len(cards)} of {done} with the lowest scores.",
        number=number,
        interval=interval,
        interval_bar=interval_bar,
        reliability_plot=reliability_plot,
        coverage_chart=coverage_chart,
        mark=_mark,
        noise_report=noise_rows,
        most_jobs=_MOST_JOBS,
    )


def _group(group: Group) -> dict[str, Any]:
    heading = f"{group.benchmark}: agent {group.agent}, perception {group.perception or 'none'}"
    heading += f", model {group.model}" if group.model else ""
    heading += f", control {group.control}" if group.control else ""
    heading += f", {named_rules(group.view_rules)}" if group.view_rules else ""
    return {"heading": heading, "judge": group.judge, "figures": (*group.figures, *group.categories)}


def _mark(score: EpisodeScore) -> Markup:
    style = "good" if score.judge_score >= 4 else "fair" if score.judge_score >= 2 else "bad"
    return Markup(f'<span class="mark {style}">{score.judge_score:.3g} / 5</span>')


def noise_rows(answer: Answer) -> list[tuple[str, str]]:
    """What the answer says of a false premise, and what else it explains, such as replies that were not as asked."""
    noise = answer.noise
    called = "" if noise.noise_type == NoiseType.NONE else f"{noise.noise_type.name.lower()}: {noise.false_claim}"
    parts = [
        ("Noise report", called.rstrip(": ")),
        ("Correction", noise.correction),
        ("Corrected question", noise.corrected_question),
        ("Explanation", noise.explanation),
    ]
    return [(name, value) for name, value in parts if value]


def score_rows(score: EpisodeScore) -> list[tuple[str, str]]:
    """What a complete score says of an episode: the three columns, the mark, and why the look that counts failed."""
    rows = [(column.title, column.told(score)) for column in COLUMNS]
    if score.shortfall:
        rows.append((f"Not {SHOWN.title.lower()} because", score.shortfall))
    if score.shown is not None and score.view_rule:
        rows.append(("Looks judged by", named_rules((score.view_rule,))))
    rows.append(("Judge", f"{score.judge_score:.3g} of 5: {score.judge_reason}"))
    if score.visible is not None:
        rows.append(("Target visible at best", f"{score.visible:.0%} in the evidence or the last look"))
    return rows


def _shown(scored: list[tuple[Path, EpisodeScore]]) -> list[tuple[Path, EpisodeScore]]:
    """Those that get a card: all, or of too many the episodes with the lowest scores in any run, in the order of the
    table.
    """
    runs: dict[tuple[str, ...], list[int]] = {}
    for k, (_, score) in enumerate(scored):
        runs.setdefault(_asked(score), []).append(k)
    worst = sorted(runs.values(), key=lambda members: (min(scored[k][1].judge_score for k in members), members[0]))
    chosen = [k for members in worst for k in members][:_MOST_CARDS]
    return [scored[k] for k in sorted(chosen)]


def _asked(score: EpisodeScore) -> tuple[str, ...]:
    """What the runs of one episode have in common."""
    return score.benchmark, score.scene, score.episode_id, score.question


def _by_episode(cards: Sequence[Card]) -> list[list[tuple[int, Card]]]:
    """The numbered cards of each episode, in the order of its first run."""
    found: dict[tuple[str, ...], list[tuple[int, Card]]] = {}
    for place, card in enumerate(cards):
        found.setdefault(_asked(card.score), []).append((place, card))
    return list(found.values())


def _is_bag(folder: Path) -> bool:
    return (folder / "metadata.yaml").is_file()


@dataclass(frozen=True)
class _Scene:
    """A scene as all its episodes saw it: id of its drawing, objects and extent."""

    name: str
    objects: Sequence[Seen]
    room: Box


def _card(
    recording: Recording,
    score: EpisodeScore,
    seen: BagContents,
    phased: PhasedEpisode | None,
    scenes: Mapping[str, _Scene],
    frames: Mapping[str, Markup],
) -> Card:
    episode, truth = recording.episode, recording.truth
    if episode is None or truth is None:
        raise RecordingError(f"{recording.path} lost its episode while it was read")
    ways = recording.ways()
    befores = [viewpoint for way in ways for viewpoint in way[:-1]]
    collided = [
        (before, motion.action)
        for before, motion in zip(befores, recording.motions, strict=True)
        if motion.status == Status.COLLIDED
    ]
    scene = scenes[episode.scene]
    plan = Plan(episode.start, ways, collided, truth.goal, seen.objects, scene.name, seen.fov)
    drawing = draw(plan, scene.room, described(plan))
    given = {question.key: recording.answer_of(question) for question in episode.questions}
    answers = {key: answer for key, answer in given.items() if answer is not None}
    return Card(score, episode, truth, answers, drawing, frames, seen.known, phased)


def _scenes(recordings: Sequence[Recording], contents: Sequence[BagContents]) -> dict[str, _Scene]:
    """Each scene from all episodes in it."""
    objects: dict[str, list[Sequence[Seen]]] = {}
    points: dict[str, list[Viewpoint]] = {}
    for recording, seen in zip(recordings, contents, strict=True):
        if recording.episode is not None:
            scene = recording.episode.scene
            objects.setdefault(scene, []).append(seen.objects)
            points.setdefault(scene, []).extend(viewpoint for way in recording.ways() for viewpoint in way)
    found = {}
    for index, (scene, seen_there) in enumerate(objects.items()):
        everything = together(seen_there)
        found[scene] = _Scene(f"scene-{index}", everything, room_of(everything, points[scene]))
    return found
