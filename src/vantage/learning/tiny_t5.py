"""A tiny T5 that stands in where no weights are at hand: trained from nothing, on text alone, in seconds.

Its lessons are questions of a set, each with an answer of the kind of its own, drawn by lot as often as such answers
are right: it learns how answers sound and what is usual, and nothing of how any home is. In half of them the answer is
told in front of the question ("it is blue. What color is the mug?"). So it heeds what stands in front of a question, as
a large one does, which is where a prefix is put.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from vantage.errors import MissingExtraError, UsageError
from vantage.learning.frozen_t5 import FrozenT5, quietly
from vantage.learning.threads import one_thread

Lesson = tuple[str, str]  # what is asked, and the answer

_SPECIAL = ("<pad>", "</s>", "<unk>")
_VOCABULARY = 800
_WIDTH, _HEADS, _LAYERS, _INNER = 64, 4, 2, 256
_BATCH, _STEPS, _RATE = 32, 400, 3e-3
_TOLD = 0.5  # of lessons in which an answer is told
_LAST = 25  # steps over which the loss is told


def make_tiny_t5(folder: Path, pairs: Sequence[Lesson], seed: int = 0, steps: int = _STEPS) -> float:
    """Train one and save it into a new folder, whole or not at all.

    Args:
        pairs: questions with their answers.

    Returns:
        The mean cross-entropy of a token of an answer over the last steps.

    Raises:
        MissingExtraError: transformers is not installed.
        UsageError: there are no questions.
    """
    try:
        from transformers import T5Config, T5ForConditionalGeneration
    except ImportError as error:
        raise MissingExtraError(
            f"a tiny T5 is made with transformers ({error}); run: make setup WITH=learning"
        ) from error
    if not pairs:
        raise UsageError("a tiny T5 learns from questions with answers, and there are none; give a set that has some")
    rng = random.Random(seed)
    tokenizer = _tokenizer(pairs)
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = T5Config(
            vocab_size=len(tokenizer),
            d_model=_WIDTH,
            d_kv=_WIDTH // _HEADS,
            d_ff=_INNER,
            num_layers=_LAYERS,
            num_heads=_HEADS,
            dropout_rate=0.0,
            pad_token_id=0,
            eos_token_id=1,
            decoder_start_token_id=0,
        )
        model = T5ForConditionalGeneration(config)
        loss = _train(model, tokenizer, _lessons(pairs, rng), steps)
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    with quietly():
        model.eval().save_pretrained(partial)
        tokenizer.save_pretrained(partial)
    partial.replace(folder)
    return loss


def t5_of(folder: Path, pairs: Sequence[Lesson], seed: int = 0) -> FrozenT5:
    """The tiny T5 of a folder, made there when it is missing.

    Raises:
        MissingExtraError, UsageError: see ``make_tiny_t5``.
        ModelError: what lies there cannot be loaded.
    """
    if not folder.is_dir():
        make_tiny_t5(folder, pairs, seed)
    return FrozenT5.load(folder)


def _train(model: Any, tokenizer: Any, lessons: Iterator[Lesson], steps: int) -> float:
    optimizer = torch.optim.AdamW(model.parameters(), _RATE, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.1)
    losses = []
    for _ in range(steps):
        asked, said = zip(*(next(lessons) for _ in range(_BATCH)), strict=True)
        given = tokenizer(list(asked), padding=True, return_tensors="pt")
        labels = tokenizer(list(said), padding=True, return_tensors="pt")
        wanted = labels["input_ids"].masked_fill(labels["attention_mask"] == 0, -100)
        loss = model(input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=wanted).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
    last = losses[-_LAST:]
    return sum(last) / len(last)


def told(answer: str, question: str) -> str:
    """A question in front of which an answer is told."""
    return f"it is {answer}. {question}"


def _lessons(pairs: Sequence[Lesson], rng: random.Random) -> Iterator[Lesson]:
    alike: dict[str, list[str]] = {}
    for _, answer in pairs:
        alike.setdefault(_kind(answer), []).append(answer)
    while True:
        question, own = rng.choice(pairs)
        answer = rng.choice(alike[_kind(own)])
        yield told(answer, question) if rng.random() < _TOLD else question, answer


def _kind(answer: str) -> str:
    if answer in ("yes", "no"):
        return "yes/no"
    return "number" if answer.isdigit() else "words"


def _tokenizer(pairs: Sequence[Lesson]) -> Any:
    """Byte-level, so that it knows every text; its words are those of the questions."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=_VOCABULARY,
        special_tokens=list(_SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(
        [text for question, answer in pairs for text in (told(answer, question), answer)], trainer
    )
    pad, end, unknown = _SPECIAL
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {end}", special_tokens=[(end, 1)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=pad, eos_token=end, unk_token=unknown)
