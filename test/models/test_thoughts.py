"""What a model thinks before it replies is told apart, kept with the reply, and never longer than it may be."""

from __future__ import annotations

import time
from pathlib import Path

from row_tables import each_row

from vantage.config import ModelSettings
from vantage.models.model_factory import CheckedModel
from vantage.models.protocol import Call, Deadline, Reply, ThinksAloud
from vantage.models.thoughts import MOST_THOUGHTS, apart


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
        ("\u25c1think\u25b7Hm.\u25c1/think\u25b7Yes.", "Hm.", "Yes."),
        ("[THINK]Mark: 2?[/THINK]Mark: 4", "Mark: 2?", "Mark: 4"),
        ("<seed:think>Hm.</seed:think>Yes.", "Hm.", "Yes."),
        ("<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>", "Hm.", "Yes."),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "Hm.", "Yes."),
        ("<|channel|>analysis<|message|>Cut", "Cut", ""),
        ("analysisHm.assistantfinalYes.", "Hm.", "Yes."),
        ("<|channel>thought\nHm.<channel|>Yes.", "Hm.", "Yes."),
        ("<think>A <think> is a word.</think>Yes.", "A <think> is a word.", "Yes."),
        ("<think>Hm.</think>Yes.<think>Or", "Hm.\nOr", "Yes."),
        ("<|begin_of_box|>Yes.<|end_of_box|>", "", "Yes."),
        ("<think>Hm.</think><answer>Yes.</answer><|im_end|>", "Hm.", "Yes."),
        (r"$\boxed{Yes.}$", "", "Yes."),
        ('The sign says "<think>".', "", 'The sign says "<think>".'),
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


@each_row(
    "piece", ["<", " ", "\n", "[", "<think>", "</think>", "<|channel|>", "<|im_end|>", "\\boxed{", "analysis", "$"]
)
def test_no_reply_is_read_for_long(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    apart(text)
    assert time.process_time() - begun < 2.0, "in a time that grows with its length alone"
