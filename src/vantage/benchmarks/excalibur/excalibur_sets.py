"""Makes sets: of each house a spawn pose and 20 questions, asked after exploring and again after re-entry."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vantage.benchmarks.excalibur.houses import House
from vantage.benchmarks.excalibur.offered_questions import WORLD, Offer, offer_of
from vantage.benchmarks.excalibur.question_choice import Chooser, not_told_by_words
from vantage.benchmarks.excalibur.question_drafts import RELATIONS, Draft
from vantage.benchmarks.labelling import VisibilitySettings
from vantage.benchmarks.protocol import Progress
from vantage.benchmarks.sets import SCENES, EpisodeSet, SetInfo, new_set_folder, save_set, stored_values
from vantage.config import ExcaliburSettings, Settings
from vantage.errors import SceneError
from vantage.planning import make_actions
from vantage.questions import program_text
from vantage.types import Episode, EpisodePhase, Phase, Question, Truth, TruthQuestion
from vantage.workers import WorkerPool

BENCHMARK = "excalibur"
PHASES = (Phase.EXPLORE.value, Phase.ANSWER.value, Phase.REENTER.value, Phase.REFINE.value)
_STORED = (  # settings that a set is run with besides those that all sets store
    "house.depth_width",
    "house.depth_height",
    "house.max_hand_translation",
    "house.max_hand_rotation",
    "agent.hidden_contents",
    "agent.step_discount",
)


@dataclass(frozen=True)
class SetRequest:
    """What set to make.

    Attributes:
        houses: in the order in which they are taken; those after ``count`` stand in for what gives too few questions.
        demanded: each of the first ``count`` must be in it.
    """

    houses: Sequence[House]
    count: int
    seed: int
    settings: Settings
    visibility: VisibilitySettings
    workers: int = 1
    demanded: bool = False


def make_set(folder: str | Path, request: SetRequest, progress: Progress) -> EpisodeSet:
    """Make a set.

    Raises:
        UsageError: the folder is not empty.
        SceneError: the houses do not give enough questions, or one that is demanded does not.
    """
    settings, limits = request.settings, request.settings.excalibur
    with new_set_folder(folder) as root:
        waiting, offers, refused = list(request.houses), list[Offer](), set[str]()
        make = partial(offer_of, root, request.seed, settings, request.visibility)
        with WorkerPool(request.workers) if request.workers > 1 else nullcontext() as pool:
            while True:
                missing = request.count - len(offers)
                batch, waiting = waiting[:missing], waiting[missing:]
                made = map(make, batch) if pool is None else pool.map(make, batch)
                for house, offer in zip(batch, made, strict=True):
                    if isinstance(offer, str):
                        _refuse(offer, root, house, request, progress)
                    else:
                        offers.append(offer)
                        progress(f"house {len(offers)} of {request.count}: '{house.name}'")
                drafts = not_told_by_words({each.house.name: each.drafts for each in offers}, limits.sure)
                short = [each for each in offers if len(drafts[each.house.name]) < limits.questions]
                for offer in short:
                    few = f"house '{offer.house.name}' is left out: it gives {len(drafts[offer.house.name])} questions"
                    _refuse(f"{few} of {limits.questions}", root, offer.house, request, progress)
                    refused.add(offer.house.name)
                offers = [each for each in offers if each.house.name not in refused]
                if len(offers) == request.count:
                    break
                if not waiting:
                    raise SceneError(
                        f"the houses give {len(offers)} episodes of {limits.questions} questions, {request.count} are "
                        "wanted; ask for fewer houses or questions"
                    )
        chooser, made_all = Chooser(), list[tuple[Episode, Truth]]()
        for offer in offers:
            rng = np.random.default_rng([request.seed, offer.house.seed, 1])
            chosen = chooser.choose(drafts[offer.house.name], limits.questions, rng)
            made_all.append(episode_of(offer, chosen, limits, int(rng.integers(2**31))))
        info = SetInfo(
            BENCHMARK,
            make_actions(settings.actions),
            {each.house.name: each.bounds for each in offers},
            {"set": request.seed},
            {key: float(value) for key, value in asdict(request.visibility).items()},
            stored(settings),
            world=WORLD,
        )
        return save_set(root, info, [episode for episode, _ in made_all], [truth for _, truth in made_all])


def _refuse(sentence: str, root: Path, house: House, request: SetRequest, progress: Progress) -> None:
    """
    Raises:
        SceneError: the house was demanded.
    """
    if request.demanded:
        raise SceneError(sentence.replace(" is left out:", " cannot be used:") + "; ask for fewer questions")
    progress(sentence)
    shutil.rmtree(root / SCENES / house.name, ignore_errors=True)


def stored(settings: Settings) -> dict[str, object]:
    """What a run takes from a set: what gold data depend on, and the settings of the benchmark."""
    more = {key: getattr(getattr(settings, key.split(".")[0]), key.split(".")[1]) for key in _STORED}
    own = {f"{BENCHMARK}.{key}": value for key, value in asdict(settings.excalibur).items()}
    return {**stored_values(settings), **more, **own}


def episode_of(offer: Offer, drafts: Sequence[Draft], limits: ExcaliburSettings, seed: int) -> tuple[Episode, Truth]:
    """The four phases of a house, and what is right in the second and the fourth."""
    answer, refine = (
        tuple(Question(f"q{k:02d}", draft.text, phase) for k, draft in enumerate(drafts, start=1))
        for phase in (Phase.ANSWER.value, Phase.REFINE.value)
    )
    phases = (
        EpisodePhase(Phase.EXPLORE.value, limits.explore_steps),
        EpisodePhase(Phase.ANSWER.value, 0, answer),
        EpisodePhase(Phase.REENTER.value, limits.reentry_steps, restored=True),
        EpisodePhase(Phase.REFINE.value, 0, refine),
    )
    name = offer.house.name
    episode = Episode.of_phases(name, BENCHMARK, name, offer.start, phases, seed)
    gold = tuple(
        _gold(question, draft) for asked in (answer, refine) for question, draft in zip(asked, drafts, strict=True)
    )
    return episode, Truth(name, gold, split=offer.house.split)


def _gold(question: Question, draft: Draft) -> TruthQuestion:
    return TruthQuestion(
        question.question_id,
        draft.kind,
        draft.answer,
        target_instances=draft.targets,
        program=program_text(draft.program),
        phase=question.phase,
        category=", ".join(each for each in sorted(RELATIONS) if each in draft.relations),
        to_weigh=draft.to_weigh,
        to_open=draft.to_open,
    )
