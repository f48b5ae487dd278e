"""A small vision-language model that truly sees: the architecture of Idefics3, trained from nothing in seconds.

It knows one world, colored shapes on a grey ground, and is good for plumbing: that a real back end loads a real folder,
and that probabilities and words follow from what an image shows.
"""

from __future__ import annotations

import fcntl
import hashlib
import inspect
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from colored_shapes import Example, random_example

_SIDE, _PATCH, _SCALE = 64, 16, 2
_IMAGE_TOKENS = (_SIDE // _PATCH // _SCALE) ** 2
_WIDTH, _HIDDEN, _LAYERS, _HEADS = 64, 128, 2, 4
_RATE = 3e-3
_TRIES = 3
_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}:"
    "{% if message['content'] is string %} {{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %} {{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
)


class Lesson(NamedTuple):
    """Ever new examples, and in how many steps they are learned.

    Attributes:
        together: batches that are drawn at once and parted by length, so that little is padded.
    """

    example: Callable[[random.Random], Example]
    steps: int
    together: int = 1


@pytest.fixture(scope="session")
def tiny_vlm(pytestconfig):
    """The folder of a model trained on ``random_example``, for all tests."""
    return trained_once(pytestconfig, "tiny_vlm", [Lesson(random_example, 600)], learned=0.05)


def trained_once(
    config: pytest.Config, name: str, lessons: Sequence[Lesson], fixed: Sequence[str] = (), learned=0.0
) -> Path:
    """The folder of a model that took some lessons, in pytest's cache; see ``train``.

    Whichever test needs it first trains it; parallel workers wait for each other. What was trained by other code, or
    in other lessons, is not used. From some weights it is hard to learn: of up to ``_TRIES``, the first is taken whose
    last loss is below ``learned``, else the last.
    """
    sources = [
        Path(__file__),
        Path(inspect.getfile(Example)),
        *(Path(inspect.getfile(lesson.example)) for lesson in lessons),
    ]
    made_of = [path.read_bytes() for path in sources]
    made_of += [repr((lesson.example.__name__, *lesson[1:])).encode() for lesson in lessons]
    made_of += [repr((fixed, learned)).encode()]
    root = config.cache.mkdir(name)
    folder = root / hashlib.sha256(b"\0".join(made_of)).hexdigest()[:12]
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            partial = folder.with_suffix(".partial")
            for seed in range(_TRIES):
                if train(partial, lessons, fixed, seed=seed) < learned:
                    break
            partial.replace(folder)
    return folder


def train(folder: Path, lessons: Sequence[Lesson], fixed: Sequence[str] = (), batch=32, seed=0) -> float:
    """Train a model, save it with its processor, and return the mean loss of the last steps.

    Args:
        fixed: texts that are one token each, such as the lines of a prompt that never change.
    """
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    processor = make_processor([lesson.example(rng) for lesson in lessons for _ in range(500)], fixed)
    model = make_model(processor)
    steps = sum(lesson.steps for lesson in lessons)
    optimizer = torch.optim.AdamW(model.parameters(), _RATE, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.1)
    losses = []
    for examples in _batches(lessons, batch, rng):
        loss = model(**_batch(processor, examples)).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    processor.save_pretrained(folder)
    model.eval().save_pretrained(folder)
    return float(np.mean(losses[-50:]))


def _batches(lessons: Sequence[Lesson], batch: int, rng: random.Random) -> Iterator[list[Example]]:
    """Of one lesson after the other, each of examples of like length."""
    for example, steps, together in lessons:
        for first in range(0, steps, together):
            some = sorted((example(rng) for _ in range(together * batch)), key=lambda item: len(item.reply))
            parts = [some[at : at + batch] for at in range(0, len(some), batch)]
            rng.shuffle(parts)
            yield from parts[: steps - first]


def make_processor(examples: list[Example], fixed: Sequence[str] = ()):
    """An image processor without tiles, and a byte-level tokenizer whose words are those of the examples.

    Args:
        fixed: texts that are one token each.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import Idefics3ImageProcessorPil, Idefics3Processor, PreTrainedTokenizerFast

    special = ["<|endoftext|>", "<|im_start|>", "<end_of_utterance>", "<fake_token_around_image>", "<image>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=[*special, "<global-img>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = [f"User: {item.prompt}\nAssistant: {item.reply}" for item in examples]
    if fixed:
        known = re.compile("|".join(re.escape(text) for text in sorted(fixed, key=len, reverse=True)))
        texts = [rest for text in texts for rest in known.split(text)]
    tokenizer.train_from_iterator(texts, trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=special[1], eos_token=special[2], pad_token=special[0]
    )
    fast.add_tokens(list(fixed))
    images = Idefics3ImageProcessorPil(
        size={"longest_edge": _SIDE}, max_image_size={"longest_edge": _SIDE}, do_image_splitting=False
    )
    return Idefics3Processor(images, fast, image_seq_len=_IMAGE_TOKENS, chat_template=_TEMPLATE)


def make_model(processor):
    """Idefics3 with two layers that see and two that speak, and random weights."""
    import torch
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration

    tokenizer = processor.tokenizer
    ids = {"bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id}
    ids["pad_token_id"] = tokenizer.pad_token_id
    size = {"hidden_size": _WIDTH, "intermediate_size": _HIDDEN}
    size |= {"num_hidden_layers": _LAYERS, "num_attention_heads": _HEADS}
    config = Idefics3Config(
        text_config={
            "model_type": "llama",
            "vocab_size": len(tokenizer),
            "max_position_embeddings": 8192,
            **size,
            **ids,
        },
        vision_config={"image_size": _SIDE, "patch_size": _PATCH, **size},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=_SCALE,
        tie_word_embeddings=True,
    )
    model = Idefics3ForConditionalGeneration(config)
    for weights in model.parameters():
        if weights.dim() > 1:
            torch.nn.init.normal_(weights, std=0.5 / weights[0].numel() ** 0.5)
    model.tie_weights()
    for name, value in ids.items():
        setattr(model.generation_config, name, value)
    return model


def _batch(processor, examples):
    """Tokens, mask, pixels and labels (-100 but for the replies) of examples, as the model wants them."""
    import torch

    rows = [_tokens(processor, item.prompt, item.reply) for item in examples]
    shape = len(rows), max(len(prompt) + len(reply) for prompt, reply in rows)
    tokens = torch.full(shape, processor.tokenizer.pad_token_id)
    labels, mask = torch.full(shape, -100), torch.zeros(shape, dtype=torch.long)
    for row, (prompt, reply) in enumerate(rows):
        both = len(prompt) + len(reply)
        tokens[row, :both] = torch.tensor(prompt + reply)
        labels[row, len(prompt) : both] = torch.tensor(reply)
        mask[row, :both] = 1
    pixels = processor.image_processor([[item.image] for item in examples], return_tensors="pt")["pixel_values"]
    return {"input_ids": tokens, "attention_mask": mask, "pixel_values": pixels, "labels": labels}


@cache
def _tokens(processor, prompt, reply):
    """The tokens of a prompt with one image, and those of the reply with its end."""
    message = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": prompt}]}]
    text = processor.apply_chat_template(message, add_generation_prompt=True, tokenize=False)
    around = "<fake_token_around_image>"
    text = text.replace("<image>", f"{around}<global-img>{'<image>' * _IMAGE_TOKENS}{around}")
    encode = processor.tokenizer.encode
    said = encode(f" {reply}<end_of_utterance>", add_special_tokens=False)
    return encode(text, add_special_tokens=False), said
