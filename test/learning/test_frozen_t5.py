"""A T5 that is frozen: what passes through it, what it answers, and the tiny one that stands in."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch

from vantage.errors import ModelError, UsageError
from vantage.learning.frozen_t5 import FrozenT5
from vantage.learning.tiny_t5 import make_tiny_t5, t5_of, told

pytestmark = pytest.mark.needs("learning")

KINDS, COLORS = ("mug", "box", "vase"), ("red", "blue", "green")
ASKED = ("What color is the mug?", "Is the box red?", "How many blue vases are there?")
SAID = ("blue", "no", "3")


def pairs() -> list[tuple[str, str]]:
    rng = random.Random(0)
    made = []
    for kind in KINDS:
        made.append((f"What color is the {kind}?", rng.choice(COLORS)))
        for color in COLORS:
            made.append((f"Is the {kind} {color}?", rng.choice(("yes", "no"))))
            made.append((f"How many {color} {kind}s are there?", str(rng.randrange(5))))
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    folder = tmp_path_factory.mktemp("words") / "t5"
    return folder, make_tiny_t5(folder, pairs(), steps=200)


@pytest.fixture(scope="module")
def t5(made: tuple[Path, float]) -> FrozenT5:
    return FrozenT5.load(made[0])


def test_the_tiny_one_learns_its_text_and_heeds_what_is_told(made: tuple[Path, float], t5: FrozenT5) -> None:
    assert made[1] < 0.5
    heard = [told(said, asked) for said, asked in zip(SAID, ASKED, strict=True)]
    assert t5.answers(None, heard) == list(SAID)
    assert t5.loss(None, heard, SAID).mean() < 0.2
    assert t5.answers(None, ["Is the box red?"])[0] in ("yes", "no")
    assert t5.answers(None, ["How many blue vases are there?"])[0].isdigit()


def test_gradients_reach_the_prefix_and_no_parameter(t5: FrozenT5) -> None:
    prefix = torch.randn(3, 4, t5.size, requires_grad=True)
    t5.loss(prefix, ASKED, SAID).sum().backward()
    assert prefix.grad is not None
    assert (prefix.grad.abs().sum((1, 2)) > 0).all()
    assert not any(value.requires_grad or value.grad is not None for value in t5.parameters)


def test_a_prefix_can_be_learned_that_makes_it_say_what_is_wanted(t5: FrozenT5) -> None:
    torch.manual_seed(0)
    prefix = torch.randn(3, 4, t5.size, requires_grad=True)
    before = [value.clone() for value in t5.parameters]
    optimizer = torch.optim.Adam([prefix], 0.05)
    for _ in range(80):
        loss = t5.loss(prefix, ASKED, SAID).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.2
    assert t5.answers(prefix, ASKED) == list(SAID)
    assert all(map(torch.equal, before, t5.parameters))


def test_answers_are_the_same_every_time_and_one_by_one(t5: FrozenT5) -> None:
    torch.manual_seed(1)
    prefix = torch.randn(3, 4, t5.size)
    found = t5.answers(prefix, ASKED, beams=3)
    assert found == t5.answers(prefix, ASKED, beams=3)
    assert found == [t5.answers(prefix[k : k + 1], ASKED[k : k + 1], beams=3)[0] for k in range(3)]
    assert t5.answers(prefix[:0], []) == []


def test_a_loss_is_of_its_own_pair_however_the_others_are_padded(t5: FrozenT5) -> None:
    prefix = torch.randn(3, 2, t5.size)
    together = t5.loss(prefix, ASKED, SAID)
    alone = torch.cat([t5.loss(prefix[k : k + 1], ASKED[k : k + 1], SAID[k : k + 1]) for k in range(3)])
    torch.testing.assert_close(together, alone, rtol=1e-4, atol=1e-4)


def test_questions_are_embedded_as_their_mean(t5: FrozenT5) -> None:
    assert torch.equal(t5.embed([]), torch.zeros(t5.size))
    alone = torch.stack([t5.embed([asked]) for asked in ASKED])
    torch.testing.assert_close(t5.embed(ASKED), alone.mean(0), rtol=1e-4, atol=1e-4)


def test_the_same_text_and_seed_give_the_same_weights(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        make_tiny_t5(tmp_path / name, pairs()[:4], seed, steps=3)
    first, same, other = (FrozenT5.load(tmp_path / name).weights for name in "abc")
    assert first == same != other
    assert t5_of(tmp_path / "a", []).weights == first, "what is there is taken"


def test_what_is_missing_or_broken_is_told_in_a_sentence(tmp_path: Path, made: tuple[Path, float]) -> None:
    option = r"--t5 FOLDER, or --set learning\.t5=FOLDER$"
    with pytest.raises(ModelError, match=f"no T5 is named; .*{option}"):
        FrozenT5.load("")
    with pytest.raises(ModelError, match=f"no T5 can be loaded from '.*nothing': .*{option}") as error:
        FrozenT5.load(tmp_path / "nothing")
    assert "\n" not in str(error.value)
    half = tmp_path / "half"
    half.mkdir()
    for path in made[0].iterdir():
        data = path.read_bytes()
        (half / path.name).write_bytes(data[: len(data) // 2] if path.suffix == ".safetensors" else data)
    with pytest.raises(ModelError, match=f"no T5 can be loaded from '.*half': .*{option}"):
        FrozenT5.load(half)
    (half / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ModelError, match=f"is of type 'bert', and no T5; .*{option}"):
        FrozenT5.load(half)
    with pytest.raises(UsageError, match="there are none; give a set that has some"):
        make_tiny_t5(tmp_path / "empty", [])
    assert not (tmp_path / "empty").exists()
