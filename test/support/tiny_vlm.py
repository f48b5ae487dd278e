"""A small vision-language model that truly sees: the architecture of Idefics3, trained from nothing in seconds.

It knows one world, colored shapes on a grey ground, and is good for plumbing: that a real back end loads a real folder,
and that probabilities and words follow from what an image shows.
"""

from __future__ import annotations

import fcntl
import hashlib
import inspect
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from colored_shapes import Example, random_example

_SIDE, _PATCH, _SCALE = 64, 16, 2
_IMAGE_TOKENS = (_SIDE // _PATCH // _SCALE) ** 2
_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}:"
    "{% if message['content'] is string %} {{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %} {{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
)


@pytest.fixture(scope="session")
def tiny_vlm(pytestconfig):
    """The folder of a model trained on ``random_example``, for all tests."""
    for module in ("torch", "transformers"):
        pytest.importorskip(module, reason=f"{module} is not installed; run: make setup WITH=models")
    return trained_once(pytestconfig, "tiny_vlm", random_example)


def trained_once(config: pytest.Config, name: str, example: Callable[[random.Random], Example], **options) -> Path:
    """The folder of a model trained on examples of one's own, in pytest's cache.

    Whichever test needs it first trains it; parallel workers wait for each other. What was trained by other code, or
    with other options, is not used.
    """
    sources = [Path(__file__), Path(inspect.getfile(Example)), Path(inspect.getfile(example))]
    made_of = [path.read_bytes() for path in sources] + [repr(sorted(options.items())).encode()]
    root = config.cache.mkdir(name)
    folder = root / hashlib.sha256(b"\0".join(made_of)).hexdigest()[:12]
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            partial = folder.with_suffix(".partial")
            train(partial, example, **options)
            partial.replace(folder)
    return folder


def train(folder: Path, example: Callable[[random.Random], Example], steps=600, batch=32, seed=0) -> float:
    """Train a model on ever new examples, save it with its processor, and return the mean loss of the last steps."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    processor = make_processor([example(rng) for _ in range(500)])
    model = make_model(processor)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps, pct_start=0.1)
    losses = []
    for _ in range(steps):
        loss = model(**_batch(processor, [example(rng) for _ in range(batch)])).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    processor.save_pretrained(folder)
    model.eval().save_pretrained(folder)
    return float(np.mean(losses[-50:]))


def make_processor(examples: list[Example]):
    """An image processor without tiles, and a byte-level tokenizer whose words are those of the examples."""
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
    tokenizer.train_from_iterator(texts, trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=special[1], eos_token=special[2], pad_token=special[0]
    )
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
    size = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
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

    rows = [_tokens(processor, item) for item in examples]
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


def _tokens(processor, example):
    """The tokens of a prompt with one image, and those of the reply with its end."""
    message = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": example.prompt}]}]
    text = processor.apply_chat_template(message, add_generation_prompt=True, tokenize=False)
    around = "<fake_token_around_image>"
    text = text.replace("<image>", f"{around}<global-img>{'<image>' * _IMAGE_TOKENS}{around}")
    encode = processor.tokenizer.encode
    reply = encode(f" {example.reply}<end_of_utterance>", add_special_tokens=False)
    return encode(text, add_special_tokens=False), reply
