"""What a model thinks before it replies is told apart, kept with the reply, and never longer than it may be."""

from __future__ import annotations

from pathlib import Path

from row_tables import each_row

from vantage.config import ModelSettings
from vantage.models.model_factory import CheckedModel
from vantage.models.protocol import MOST_THOUGHTS, Call, Deadline, Reply, ThinksAloud, apart


class Thinker:
    """Thinks, then says one word."""

    name, identity = "thinker", {"backend": "thinker"}

    def __init__(self) -> None:
        self.calls = 0

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        self.calls += 1
        return Reply("Yes.", thoughts="There is no lamp.")


@each_row(
    "text, thoughts, said",
    [
        ("Yes.", "", "Yes."),
        ("<think>Hm. </think> Yes. ", "Hm.", "Yes."),
        ("Hm.</think>Yes.", "Hm.", "Yes."),
        ("<think>It never ends", "It never ends", ""),
        ("", "", ""),
        ("<think>" + "x" * 200_000 + "</think>Yes.", "x" * MOST_THOUGHTS, "Yes."),
    ],
)
def test_thoughts_and_words_are_told_apart(text: str, thoughts: str, said: str) -> None:
    assert apart(text) == (thoughts, said)


def test_a_kept_reply_has_its_thoughts(tmp_path: Path) -> None:
    backend = Thinker()
    model = CheckedModel(backend, ModelSettings(cache=str(tmp_path / "cache")))
    assert isinstance(model, ThinksAloud)
    for _ in range(2):
        said = model.said("Is there a lamp?")
        assert (said.text, said.thoughts) == ("Yes.", "There is no lamp.")
    assert model.chat("Is there a lamp?") == "Yes."
    assert backend.calls == 1
