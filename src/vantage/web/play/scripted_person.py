"""A person by rote, who tries a study out: she takes those of the stored shortest actions that she may, in a phase that
asks nothing one of each kind that there is, and gives the gold answers."""

from __future__ import annotations

from collections.abc import Mapping

from vantage.answering.vlm import prompt_question
from vantage.planning.agents import Decided, Sight, WrittenAnswer
from vantage.types import Episode, NoiseType, Question, Truth, TruthQuestion, Verdict
from vantage.web.play.controls import graded_actions, plain_actions


class ScriptedPerson:
    """Decides on sights of one episode after the other; what she is shown does not matter to her.

    Args:
        episodes, truths: by episode id.
    """

    def __init__(self, episodes: Mapping[str, Episode], truths: Mapping[str, Truth]) -> None:
        self._episodes, self._truths = dict(episodes), dict(truths)
        self._episode_id = ""
        self._plan: list[str] = []
        self._exploring: tuple[str, str] = ("", "")  # episode and phase for which the trials of actions were planned

    def begin(self, episode_id: str) -> None:
        """Another episode; one that is not in the set is practice."""
        self._episode_id = episode_id
        truth = self._truths.get(episode_id)
        self._plan = list(truth.oracle_actions or ()) if truth is not None else []
        self._exploring = ("", "")

    def decide(self, sight: Sight) -> Decided:
        """Her decision on a sight."""
        if sight.can_finish:
            return self._explore(sight)
        self._plan = [action for action in self._plan if action in sight.actions]
        if self._plan:
            return Decided(self._plan.pop(0))
        gold = self._gold(sight)
        return Decided(answer=_written(gold, max(sight.taken)) if gold is not None else WrittenAnswer("tried"))

    def _explore(self, sight: Sight) -> Decided:
        """Every action once, of those that differ in a number the least, the middle and the largest; then the end."""
        if self._exploring != (self._episode_id, sight.phase):
            self._exploring = (self._episode_id, sight.phase)
            graded = graded_actions(sight.actions)
            some = dict.fromkeys((graded[0], graded[len(graded) // 2], graded[-1])) if graded else ()
            self._plan = [*plain_actions(sight.actions), *some]
        return Decided(self._plan.pop(0)) if self._plan and sight.steps_left > 0 else self._ended()

    def _ended(self) -> Decided:
        self._plan = []
        return Decided()

    def asked(self, sight: Sight) -> Question | None:
        """The question of her episode that a sight asks; None where it asks none, and for practice."""
        episode = self._episodes.get(self._episode_id)
        if episode is None or not sight.question:
            return None
        return next(
            item
            for item in episode.questions
            if (item.phase == sight.phase or not episode.phases) and prompt_question(item.text).text == sight.question
        )

    def _gold(self, sight: Sight) -> TruthQuestion | None:
        asked, truth = self.asked(sight), self._truths.get(self._episode_id)
        if asked is None or truth is None:
            return None
        return next(gold for gold in truth.questions if gold.is_about(asked))


def _written(gold: TruthQuestion, newest: int) -> WrittenAnswer:
    if gold.premise_holds:
        return WrittenAnswer(gold.answer, evidence=(newest,))
    latent = gold.noise_type == NoiseType.LATENT
    return WrittenAnswer(
        gold.correction if latent else gold.answer,
        Verdict.UNANSWERABLE if latent else Verdict.CORRECTED,
        evidence=(newest,),
        noise=gold.noise_type,
        false_claim=gold.false_claim,
        correction=gold.correction,
        corrected_question=gold.corrected_question,
    )
