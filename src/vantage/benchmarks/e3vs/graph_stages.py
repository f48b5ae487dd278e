"""The stages of a home that has a graph: everything is labelled from its geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vantage.benchmarks.e3vs.candidates import Candidate, CandidateView, Offer
from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, CATEGORIES, KINDS
from vantage.benchmarks.e3vs.labelled_home import HomeLabels
from vantage.benchmarks.e3vs.stage_store import StageResult
from vantage.benchmarks.e3vs.validity import invalid_because
from vantage.benchmarks.sets import QUESTION_ID
from vantage.questions import QuestionKind
from vantage.questions.generation import GeneratedQuestion, QuestionScene, answered_drafts, category_of
from vantage.types import Episode, Question, Truth, TruthQuestion

_DRAFTS = 3  # times that a kind is asked for drafts, for each answer to questions of yes and no
_TRIED = 6  # drafts that are tried for each question that is wanted
_LIKELY_LENGTHS = (4, 12)  # of an oracle: the starts that are kept are hard, or come near one drawn from these
_APART = 0.5  # m: starts of one question are not nearer to each other


def ask(home: HomeLabels) -> StageResult:
    """Questions about what some view shows, answered by some candidate views and not by others."""
    dropped: Counter[str] = Counter()
    items: list[Candidate] = []
    for category, wanted in home.plan.quotas.items():
        found = 0
        for number, draft in enumerate(_drafts(home, category)):
            if found == wanted or number == _TRIED * wanted:
                break
            question = replace(draft.truth, category=category)
            reason = _insensitive(home, question, home.rng(category, number))
            if reason:
                dropped[reason] += 1
            else:
                found += 1
                items.append(Candidate(f"{home.name}-{len(items) + 1:03d}", draft.text, question))
    return StageResult([item.to_json() for item in items], dropped)


def _drafts(home: HomeLabels, category: str) -> Iterator[GeneratedQuestion]:
    """Different questions of a category, its kinds in turn in an order by lot; none about the same things twice."""
    rng = home.rng(category)
    piles = [_pile(home, kind, rng) for kind in KINDS[category]]
    piles = [piles[int(k)] for k in rng.permutation(len(piles))]
    asked: set[tuple[str, tuple[int, ...]]] = set()
    while any(piles):
        for pile in piles:
            while pile:
                draft = pile.pop()
                about = draft.truth.kind, tuple(sorted(draft.truth.target_instances))
                if about not in asked and CATEGORIES[category_of(draft.truth)] == category:
                    asked.add(about)
                    yield draft
                    break


def _pile(home: HomeLabels, kind: QuestionKind, rng: np.random.Generator) -> list[GeneratedQuestion]:
    found: dict[str, GeneratedQuestion] = {}
    for _ in range(_DRAFTS):
        for yes in (True, False):
            for draft in answered_drafts(QuestionScene(home.facts, rng, yes), kind):
                found.setdefault(draft.text, draft)
    drafts = list(found.values())
    return [drafts[int(k)] for k in rng.permutation(len(drafts))]


def _insensitive(home: HomeLabels, question: TruthQuestion, rng: np.random.Generator) -> str:
    """Why it does not depend on the view whether a question is answered; empty where it does."""
    views = home.views(question)
    drawn = _drawn_views(home, question, rng)
    if not drawn:
        return "no view shows what it is about"
    answers = [views.answer(position, heading) for position, heading in drawn]
    return "every candidate view answers it" if all(answers) else ""


def _drawn_views(home: HomeLabels, question: TruthQuestion, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Viewpoints by lot among those that can be reached and have all targets before them."""
    positions, headings = np.nonzero(home.views(question).possible & home.reached[:, None])
    number = min(len(positions), home.plan.labels.candidates)
    chosen = rng.choice(len(positions), number, replace=False) if number else ()
    return [(int(positions[k]), int(headings[k])) for k in chosen]


def drop_invalid(home: HomeLabels, candidates: Sequence[Candidate]) -> StageResult:
    """The valid ones; see ``validity``."""
    dropped: Counter[str] = Counter()
    kept = []
    for candidate in candidates:
        view = home.labeller.reachable_view(candidate.question, home.start)
        reason = invalid_because(
            candidate,
            view,
            home.graph,
            home.judge,
            home.intrinsics,
            home.plan.settings.relations,
            home.plan.labels.most_words,
        )
        if reason:
            dropped[reason] += 1
        else:
            kept.append(candidate.to_json())
    return StageResult(kept, dropped)


def label_views(home: HomeLabels, candidates: Sequence[Candidate]) -> StageResult:
    """The same questions with candidate views that are labelled answering or not."""
    kept = []
    noted: Counter[str] = Counter()
    for number, candidate in enumerate(candidates):
        views = home.views(candidate.question)
        drawn = _drawn_views(home, candidate.question, home.rng("views", number))
        labelled = tuple(CandidateView(*view, views.answer(*view)) for view in drawn)
        noted["answering views"] += sum(view.answers for view in labelled)
        noted["views"] += len(labelled)
        kept.append(replace(candidate, views=labelled).to_json())
    return StageResult(kept, noted=noted)


def offer_starts(home: HomeLabels, candidates: Sequence[Candidate]) -> StageResult:
    """Episodes that start where the question is not answered and that an oracle solves; the hard half of them first.

    Hard is what a camera cannot solve that keeps its height, its pitch or both. How many starts are set aside for
    others is noted; questions are dropped only where no start will do.
    """
    dropped: Counter[str] = Counter()
    noted: Counter[str] = Counter()
    items = []
    for number, candidate in enumerate(candidates):
        rng = home.rng("starts", number)
        offers = list(_offers(home, candidate, rng, noted))
        noted["starts that serve"] += len(offers)
        wanted = int(rng.integers(*_LIKELY_LENGTHS, endpoint=True))
        chosen: list[Offer] = []
        half = home.plan.labels.kept // 2  # of the starts that are kept are hard ones, the others as they come
        for most, order in ((half, sorted(offers, key=lambda offer: offer.ease(wanted))), (2 * half, offers)):
            for offer in order:
                apart = all(offer.episode.start.distance(other.episode.start) >= _APART for other in chosen)
                if apart and len(chosen) < most:
                    chosen.append(offer)
        noted["starts set aside for others"] += len(offers) - len(chosen)
        if not chosen:
            dropped["no start serves"] += 1
        items += [offer.to_json() for offer in chosen]
    return StageResult(items, dropped, noted)


def _offers(home: HomeLabels, candidate: Candidate, rng: np.random.Generator, noted: Counter[str]) -> Iterator[Offer]:
    views, labels = home.views(candidate.question), home.plan.labels
    places = np.flatnonzero(home.reached)
    around = len({round(float(yaw), 6) for yaw in home.lattice.yaws})
    asked = (Question(QUESTION_ID, candidate.text),)
    for number in range(labels.starts):
        position = int(places[int(rng.integers(len(places)))])
        heading = home.lattice.level(int(rng.integers(around)))
        start = home.lattice.viewpoint(position, heading)
        noted["starts tried"] += 1
        if home.penetrates(start):
            noted["starts that penetrate"] += 1
            continue
        if views.answer(position, heading):
            noted["starts that answer"] += 1
            continue
        path = home.labeller.shortest_of(views, position, heading)
        if path is None or len(path.actions) < labels.fewest_actions:
            noted["starts too far" if path is None else "starts too near"] += 1
            continue
        solved = home.ways.solving(views, position, heading)
        name = f"{candidate.pair_id}-{number + 1:02d}"
        episode = Episode(name, BENCHMARK, home.name, start, asked, labels.max_steps, int(rng.integers(2**31)))
        gold = (replace(candidate.question, question_id=QUESTION_ID),)
        truth = Truth(
            name,
            gold,
            path.goal,
            path.actions,
            path.length,
            pair_id=candidate.pair_id,
            oracle_is_bound=path.is_bound,
            solved_by=solved,
        )
        yield Offer(episode, truth)
