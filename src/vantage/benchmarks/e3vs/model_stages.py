"""The stages of a capture that has no graph: a model asks about rendered views, and says which of them answer.

Labels are the model's, and oracles the shortest ways to views that it was shown: other views may answer too, so that
these are upper bounds, and what limited cameras solve is at least what is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.e3vs.candidates import Candidate, CandidateView, Offer
from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, CNT, SHARES
from vantage.benchmarks.e3vs.stage_store import StageResult
from vantage.benchmarks.e3vs.viewed_home import LabelledViews, ViewedHome
from vantage.benchmarks.sets import QUESTION_ID
from vantage.bounded_json import bounded_json
from vantage.errors import ModelError
from vantage.models import Model, prompt
from vantage.types import Episode, Question, Truth, TruthQuestion

_TOGETHER = 4  # views that the model is shown at once
_MOST_ASKED = 3  # questions about them
_TOLD = 3  # mark from which on an answer without a look, or by the look at the start, counts as right


class ViewStages:
    """The stages of one capture, each as a method; see ``graph_stages`` for what they do."""

    def __init__(self, home: ViewedHome, model: Model) -> None:
        self._home, self._model = home, model

    def ask(self) -> StageResult:
        dropped: Counter[str] = Counter()
        items: list[Candidate] = []
        views = self._home.candidates
        for first in range(0, len(views), _TOGETHER):
            group = views[first : first + _TOGETHER]
            names = [f"VIEW_{k}" for k in range(1, len(group) + 1)]
            text = prompt("views_ask").fill(number=len(group), most=_MOST_ASKED)
            for proposed in self._replied(text, _ASKED, group, names)["questions"]:
                shown = {k for k in proposed["views"] if 1 <= k <= len(group)}
                if proposed["category"] not in SHARES:
                    dropped["it is of no category"] += 1
                elif not 0 < len(shown) < len(group):
                    dropped["every candidate view answers it" if shown else "no view answers it"] += 1
                else:
                    gold = TruthQuestion("", "", proposed["answer"].strip(), category=proposed["category"])
                    marked = tuple(CandidateView(*view, k in shown) for k, view in enumerate(group, start=1))
                    name = f"{self._home.name}-{len(items) + 1:03d}"
                    items.append(Candidate(name, proposed["question"].strip(), gold, marked))
        return StageResult([item.to_json() for item in items], dropped)

    def drop_invalid(self, candidates: Sequence[Candidate]) -> StageResult:
        dropped: Counter[str] = Counter()
        kept = []
        for candidate in candidates:
            text, answer = candidate.text, candidate.question.answer
            shown = [(view.position, view.heading) for view in candidate.views if view.answers][:1]
            if candidate.question.category == CNT:
                asked = prompt("views_count_rewrite").fill(question=text)
                text = self._replied(asked, _QUESTION)["question"].strip() or text
                asked = prompt("views_count_valid").fill(question=text, answer=answer)
                if not self._replied(asked, _VALID, shown)["valid"]:
                    dropped["counting: hidden, not plausible or ambiguous"] += 1
                    continue
            asked = prompt("views_question_valid").fill(question=text, answer=answer)
            judged = self._replied(asked, _CORRECTED, shown)
            right = judged["answer"].strip() or answer
            if not judged["valid"]:
                dropped["one view does not answer it, or its description is not valid"] += 1
            elif len(right.split()) > self._home.plan.labels.most_words:
                dropped["the answer is not concise"] += 1
            else:
                kept.append(replace(candidate, text=text, question=replace(candidate.question, answer=right)).to_json())
        return StageResult(kept, dropped)

    def label_views(self, candidates: Sequence[Candidate]) -> StageResult:
        kept = []
        dropped: Counter[str] = Counter()
        noted: Counter[str] = Counter()
        for candidate in candidates:
            asked = prompt("views_answers").fill(question=candidate.text, answer=candidate.question.answer)
            labelled = tuple(
                CandidateView(*view, bool(self._replied(asked, _ANSWERS, [view])["answers"]))
                for view in self._home.candidates
            )
            noted["answering views"] += sum(view.answers for view in labelled)
            noted["views"] += len(labelled)
            if not any(view.answers for view in labelled):
                dropped["no view answers it"] += 1
            else:
                kept.append(replace(candidate, views=labelled).to_json())
        return StageResult(kept, dropped, noted)

    def offer_starts(self, candidates: Sequence[Candidate]) -> StageResult:
        items = []
        dropped: Counter[str] = Counter()
        noted: Counter[str] = Counter()
        for candidate in candidates:
            if self._mark(candidate, []) >= _TOLD:
                dropped["answered without a look"] += 1
                continue
            offers = sorted(self._offers(candidate, noted), key=lambda offer: offer.ease(0.0))
            if not offers:
                dropped["no start serves"] += 1
            items += [offer.to_json() for offer in offers[: self._home.plan.labels.kept]]
        return StageResult(items, dropped, noted)

    def _offers(self, candidate: Candidate, noted: Counter[str]) -> Iterator[Offer]:
        home, labels = self._home, self._home.plan.labels
        views = LabelledViews(home.lattice, candidate.views)
        asked = (Question(QUESTION_ID, candidate.text),)
        gold = (replace(candidate.question, question_id=QUESTION_ID),)
        for number, view in enumerate((each for each in candidate.views if not each.answers), start=1):
            start = home.lattice.viewpoint(view.position, view.heading)
            path = home.oracle(views, view.position, view.heading)
            noted["starts tried"] += 1
            if home.penetrates(start):
                noted["starts that penetrate"] += 1
            elif path is None or len(path.actions) < labels.fewest_actions:
                noted["starts too far" if path is None else "starts too near"] += 1
            elif self._mark(candidate, [(view.position, view.heading)]) >= _TOLD:
                noted["starts that answer"] += 1
            else:
                name = f"{candidate.pair_id}-{number:02d}"
                seed = int(home.rng(name).integers(2**31))
                episode = Episode(name, BENCHMARK, home.name, start, asked, labels.max_steps, seed)
                solved = home.ways.solving(views, view.position, view.heading)
                ends = (path.goal, path.actions, path.length)
                truth = Truth(name, gold, *ends, candidate.pair_id, oracle_is_bound=True, solved_by=solved)
                noted["starts that serve"] += 1
                yield Offer(episode, truth)

    def _mark(self, candidate: Candidate, views: Sequence[tuple[int, int]]) -> int:
        """The mark of what the model answers by these views, or without any."""
        given = self._replied(prompt("views_guess").fill(question=candidate.text), _GUESS, views)["answer"]
        right = candidate.question.answer
        marked = prompt("views_mark").fill(question=candidate.text, answer=right, given=given)
        return int(self._replied(marked, _MARK)["mark"])

    def _replied(
        self,
        text: str,
        schema: dict[str, Any],
        views: Sequence[tuple[int, int]] = (),
        names: Sequence[str] = (),
    ) -> Any:
        """What the model replies to a prompt and the pictures of views.

        Raises:
            ModelError: it does not reply, or not as it was asked to.
        """
        pictures: list[NDArray[np.uint8]] = [self._home.look(*view) for view in views]
        reply = self._model.chat(text, pictures, schema, image_names=names)
        try:
            return bounded_json(reply)
        except ValueError as error:
            raise ModelError(f"{self._model.name} did not reply with JSON: {error}") from error


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


_TEXT, _FLAG = {"type": "string"}, {"type": "boolean"}
_ONE = _object(question=_TEXT, answer=_TEXT, category=_TEXT, views={"type": "array", "items": {"type": "integer"}})
_ASKED = _object(questions={"type": "array", "items": _ONE})
_QUESTION, _GUESS, _VALID, _ANSWERS = (
    _object(question=_TEXT),
    _object(answer=_TEXT),
    _object(valid=_FLAG),
    _object(answers=_FLAG),
)
_CORRECTED = _object(valid=_FLAG, answer=_TEXT)
_MARK = _object(mark={"type": "integer", "minimum": 1, "maximum": 5})
