"""A T5 that answers questions after a prefix of continuous tokens, and never learns (Raffel et al., JMLR 2020)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from vantage.errors import MissingExtraError, ModelError
from vantage.models import told

BEAMS = 4
_LONGEST = 16  # tokens of an answer
_KINDS = ("t5", "mt5", "umt5")
_MOST_KEPT = 4096  # texts whose tokens are kept
_IGNORED = -100  # label of padding
_MEND = "give the folder of a T5 of transformers by --t5 FOLDER, or --set learning.t5=FOLDER"


class FrozenT5:
    """Its parameters take no gradients, which pass through it to the prefix.

    Args:
        model: a ``T5ForConditionalGeneration``.
        weights: what tells its weights from others'.
    """

    def __init__(self, model: Any, tokenizer: Any, weights: str) -> None:
        self._model, self._tokenizer, self.weights = model.eval().requires_grad_(False), tokenizer, weights
        self.size = int(model.config.d_model)
        self._kept: dict[tuple[str, ...], Tensor] = {}
        self._ids: dict[str, list[int]] = {}

    @classmethod
    def load(cls, which: str | Path) -> FrozenT5:
        """From a folder, or by a name in this machine's cache of the Hugging Face hub; nothing is downloaded.

        Raises:
            MissingExtraError: transformers is not installed.
            ModelError: there is none, or it is no T5.
        """
        try:
            from transformers import AutoConfig, AutoTokenizer, T5ForConditionalGeneration
        except ImportError as error:
            raise MissingExtraError(
                f"learned agents answer by a T5 and need transformers ({error}); run: make setup WITH=learning"
            ) from error
        source = str(which)
        if not source:
            raise ModelError(f"no T5 is named; {_MEND}")
        with quietly(), told(f"no T5 can be loaded from '{source}'", _MEND):
            config = AutoConfig.from_pretrained(source, local_files_only=True, trust_remote_code=False)
            if config.model_type not in _KINDS:
                raise ModelError(f"'{source}' is of type '{config.model_type}', and no T5; {_MEND}")
            tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=True, trust_remote_code=False)
            model = T5ForConditionalGeneration.from_pretrained(source, dtype=torch.float32, local_files_only=True)
        return cls(model, tokenizer, fingerprint(model))

    @property
    def parameters(self) -> list[Tensor]:
        """All that it has, frozen."""
        return list(self._model.parameters())

    def embed(self, questions: Sequence[str]) -> Tensor:
        """The mean over questions and their tokens of what the encoder makes of them, (D,); zeros for none."""
        key = tuple(questions)
        if not key:
            return torch.zeros(self.size)
        if key not in self._kept:
            ids, mask = self._batch(key)
            with torch.no_grad():
                encoded = self._model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
            weights = mask[..., None].float()
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = ((encoded * weights).sum(1) / weights.sum(1)).mean(0)
        return self._kept[key]

    def loss(self, prefix: Tensor | None, questions: Sequence[str], answers: Sequence[str]) -> Tensor:
        """-log p(answer | prefix, question) of each of N pairs, (N,).

        Args:
            prefix: (N, P, D); None for the question alone.
        """
        labels, mask = self._batch(answers)
        labels = labels.masked_fill(mask == 0, _IGNORED)
        embedded, attended = self._prefixed(prefix, questions)
        logits = self._model(inputs_embeds=embedded, attention_mask=attended, labels=labels).logits
        each = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=_IGNORED, reduction="none")
        return each.sum(1)

    def answers(self, prefix: Tensor | None, questions: Sequence[str], beams: int = BEAMS) -> list[str]:
        """What beam search finds for each of N questions; the same for the same arguments.

        Args:
            prefix: (N, P, D); None for the question alone.
        """
        if not questions:
            return []
        with torch.no_grad():
            embedded, attended = self._prefixed(prefix, questions)
            found = self._model.generate(
                inputs_embeds=embedded,
                attention_mask=attended,
                num_beams=beams,
                do_sample=False,
                max_new_tokens=_LONGEST,
            )
        said: list[str] = self._tokenizer.batch_decode(found, skip_special_tokens=True)
        return [" ".join(text.split()) for text in said]

    def _prefixed(self, prefix: Tensor | None, questions: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Embedded tokens (N, P + L, D) and which of them count."""
        ids, mask = self._batch(questions)
        tokens = self._model.get_input_embeddings()(ids)
        if prefix is None:
            return tokens, mask
        before = torch.ones(prefix.shape[:2], dtype=mask.dtype)
        return torch.cat([prefix, tokens], 1), torch.cat([before, mask], 1)

    def _batch(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Ids (N, L) of texts, and which of them are no padding."""
        rows = [self._tokens(text) for text in texts]
        longest = max(len(row) for row in rows)
        ids = torch.full((len(rows), longest), int(self._model.config.pad_token_id))
        mask = torch.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row)
            mask[number, : len(row)] = 1
        return ids, mask

    def _tokens(self, text: str) -> list[int]:
        if text not in self._ids:
            if len(self._ids) >= _MOST_KEPT:
                self._ids.clear()
            self._ids[text] = self._tokenizer(text)["input_ids"]
        return self._ids[text]


@contextmanager
def quietly() -> Iterator[None]:
    """Have transformers draw no progress bars."""
    from transformers.utils import logging

    drawn = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if drawn:
            logging.enable_progress_bar()


def fingerprint(model: Any) -> str:
    """SHA-256 over the names, shapes and ends of a model's parameters."""
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        flat = value.detach().flatten()
        digest.update(f"{name}\0{tuple(value.shape)}\0".encode())
        digest.update(torch.cat([flat[:256], flat[-256:]]).float().numpy().tobytes())
    return digest.hexdigest()
