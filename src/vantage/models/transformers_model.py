"""Image-text-to-text models of the transformers library, by name or local folder (optional extra ``models``).

One call at a time runs on the device; replies are greedy, so that the same call gives the same reply.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError, RefusedCallError
from vantage.models.protocol import Call, Deadline, Reply
from vantage.models.third_party_errors import told
from vantage.models.thoughts import apart

_YES = ("yes", "Yes", " yes", " Yes", "YES", " YES")
_NO = ("no", "No", " no", " No", "NO", " NO")
_THINKING = "enable_thinking"  # a variable of chat templates of thinking models
_ENDS = 1 << 16  # bytes of either end of a file that tell weights apart


def make_transformers(which: str, settings: Settings) -> TransformersBackend:
    """For ``registry.MODELS``: a model by its name on a hub, or by its folder.

    Raises:
        MissingExtraError: torch, transformers or Pillow are not installed.
        ModelError: the folder is missing, or the model cannot be loaded.
    """
    part = settings.model
    return TransformersBackend(which, part.device, part.max_new_tokens, part.thinking)


class TransformersBackend:
    """A loaded model with its processor.

    Args:
        thinking: on or off, as its chat template knows it; empty for as that has it.
    """

    def __init__(self, which: str, device: str = "auto", max_new_tokens: int = 512, thinking: str = "") -> None:
        self._torch, self._transformers, self._pillow, self._template_error = _libraries()
        folder = _folder(which)
        self.name = Path(which).name
        self._device = self._chosen_device(device)
        self._most = max_new_tokens
        self._lock = threading.Lock()
        with self._failures(f"model '{self.name}' cannot be loaded"):
            source = str(folder or which)
            options = {"local_files_only": folder is not None, "trust_remote_code": False}
            self._require_eyes(self._transformers.AutoConfig.from_pretrained(source, **options))
            self._processor = self._transformers.AutoProcessor.from_pretrained(source, **options)
            model = self._transformers.AutoModelForImageTextToText.from_pretrained(
                source, dtype="auto" if self._device == "cuda" else self._torch.float32, **options
            )
            self._model = model.to(self._device).eval()
            self._greedy()
            self._tokenizer = getattr(self._processor, "tokenizer", self._processor)
            self._options = self._template_options(thinking)
            self._yes, self._no = _first_tokens(self._tokenizer, _YES, _NO)
            weights = _fingerprint(folder) if folder else str(getattr(self._model.config, "_commit_hash", None))
        self.identity: Mapping[str, object] = {
            "backend": "transformers",
            "weights": weights,
            "max_new_tokens": max_new_tokens,
            "dtype": str(self._model.dtype),
            **({"thinking": thinking} if thinking else {}),
        }

    def reply(self, call: Call, deadline: Deadline) -> Reply:
        """Run one call; the lock is waited for no longer than the deadline.

        Raises:
            RefusedCallError: the model cannot take such a prompt.
            ModelError: out of time or memory.
        """
        if not self._lock.acquire(timeout=deadline.left):
            raise self._late(deadline)
        try:
            with self._failures(f"model '{self.name}' failed", RefusedCallError):
                inputs = self._inputs(call)
                sent = int(inputs["input_ids"].shape[1])
                if call.choice:
                    return Reply("", self._probability(inputs, deadline), sent, 1)
                tokens = self._generated(inputs, deadline, call.most_tokens or self._most)["sequences"][0, sent:]
                thoughts, text = map(self._plain, apart(self._tokenizer.decode(tokens)))
                return Reply(text, None, sent, len(tokens), thoughts)
        finally:
            self._lock.release()

    def _plain(self, text: str) -> str:
        """Without the special tokens of the model, of which those around thoughts were needed until now."""
        for token in getattr(self._tokenizer, "all_special_tokens", ()):
            text = text.replace(token, "")
        return text.strip()

    def _require_eyes(self, config: Any) -> None:
        """
        Raises:
            ModelError: models of this configuration take no pictures, or no words.
        """
        if type(config) not in self._transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
            raise ModelError(
                f"model '{self.name}' takes no pictures: it is of type '{config.model_type}', and transformers has no "
                "image-text-to-text model of that; name another one, or have it served and ask it unseen as openai:NAME"
            )

    def _template_options(self, thinking: str) -> dict[str, bool]:
        """
        Raises:
            ModelError: thinking is to be turned on or off, and the chat template knows nothing of it.
        """
        if not thinking:
            return {}
        templates = (getattr(part, "chat_template", None) for part in (self._processor, self._tokenizer))
        if not any(_THINKING in str(template) for template in templates):
            raise ModelError(
                f"model '{self.name}' has no thinking to turn {thinking}: its chat template does not know "
                f"{_THINKING}; leave out model.thinking"
            )
        return {_THINKING: thinking == "on"}

    def _inputs(self, call: Call) -> Any:
        """Tokens and pixels, as the chat template of the model wants them."""
        messages = self._messages(call)
        if call.system and not self._takes_system(messages, call.system):
            messages = self._messages(call.without_system())
        inputs = self._processor.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt", **self._options
        )
        return inputs.to(self._device, dtype=self._model.dtype)

    def _messages(self, call: Call) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = [
            {"type": "text", "text": part}
            if isinstance(part, str)
            else {"type": "image", "image": self._pillow.fromarray(part)}
            for part in call.parts
        ]
        said = [("system", call.system)] if call.system else []
        for turn in call.earlier:
            said += [("user", turn.prompt), ("assistant", turn.reply)]
        before = [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in said]
        return [*before, {"role": "user", "content": parts}]

    def _takes_system(self, messages: list[dict[str, Any]], system: str) -> bool:
        """Whether the chat template knows the system role: some refuse it, some leave its text out."""
        try:
            text = self._processor.apply_chat_template(
                messages, add_generation_prompt=True, tokenize=False, **self._options
            )
        except self._template_error:
            return False
        return system.strip() in text

    def _generated(self, inputs: Any, deadline: Deadline, most: int) -> Any:
        stop = self._transformers.StoppingCriteriaList([_TimeIsUp(deadline, self._torch)])
        with self._torch.inference_mode():
            found = self._model.generate(
                **inputs,
                max_new_tokens=most,
                do_sample=False,
                num_beams=1,
                stopping_criteria=stop,
                output_logits=most == 1,
                return_dict_in_generate=True,
            )
        if deadline.over:
            raise self._late(deadline)
        return found

    def _probability(self, inputs: Any, deadline: Deadline) -> float | None:
        """Softmax over {yes, no} alone, each the sum of its spellings, as Explore-EQA weighs its views."""
        if not self._yes or not self._no:
            return None
        logits = self._generated(inputs, deadline, 1)["logits"][0][0].double()
        yes, no = (self._torch.logsumexp(logits[list(ids)], 0) for ids in (self._yes, self._no))
        return float(self._torch.sigmoid(yes - no))

    def _greedy(self) -> None:
        """Checkpoints bring settings for sampling, which are useless, and warned about, without it."""
        for name in ("temperature", "top_p", "top_k", "min_p"):
            setattr(self._model.generation_config, name, None)
        self._model.generation_config.do_sample = False

    def _chosen_device(self, device: str) -> str:
        there = self._torch.cuda.is_available()
        if device == "auto":
            return "cuda" if there else "cpu"
        if device not in ("cpu", "cuda") or (device == "cuda" and not there):
            reason = "no CUDA device is usable" if device == "cuda" else "there are only auto, cpu and cuda"
            raise ModelError(f"model.device = {device} cannot be had because {reason}; set it to auto or cpu")
        return device

    def _late(self, deadline: Deadline) -> ModelError:
        return ModelError(
            f"model '{self.name}' did not finish within {deadline.seconds:g} s on {self._device}; "
            "raise model.timeout or lower model.max_new_tokens"
        )

    @contextmanager
    def _failures(self, what: str, kind: type[ModelError] = ModelError) -> Iterator[None]:
        with told(what, "check that it is an image-text-to-text model with a chat template", kind):
            try:
                yield
            except (self._torch.OutOfMemoryError, MemoryError) as error:
                if self._device == "cuda":
                    self._torch.cuda.empty_cache()
                mend = "take a smaller model, fewer or smaller images, or model.device=cpu"
                raise ModelError(f"{what}: out of memory on {self._device}; {mend}") from error


class _TimeIsUp:
    """A stopping criterion of ``generate``: asked after each token."""

    def __init__(self, deadline: Deadline, torch: Any) -> None:
        self._deadline, self._torch = deadline, torch

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        return self._torch.full((input_ids.shape[0],), self._deadline.over, device=input_ids.device)


def _libraries() -> tuple[Any, Any, Any, type[Exception]]:
    try:
        import torch
        import transformers
        from jinja2 import TemplateError
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError(
            f"models on this machine need the extra 'models' ({error}); run: make setup WITH=models"
        ) from error
    return torch, transformers, Image, TemplateError


def _folder(which: str) -> Path | None:
    """The folder that is meant; None for a name on a hub, such as ``org/model``."""
    path = Path(which).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise ModelError(f"{path} holds no config.json, so it is no model of transformers; name another folder")
        return path
    if path.is_absolute() or which.startswith((".", "~")) or which.count("/") > 1:
        raise ModelError(f"the model folder {path} does not exist; check the path")
    return None


def _first_tokens(tokenizer: Any, yes: tuple[str, ...], no: tuple[str, ...]) -> tuple[set[int], set[int]]:
    """Tokens with which a yes and a no begin; those that could begin either tell nothing."""
    found = []
    for spellings in (yes, no):
        encoded = [tokenizer.encode(spelling, add_special_tokens=False) for spelling in spellings]
        whole = {tokens[0] for tokens in encoded if len(tokens) == 1}
        found.append(whole or {tokens[0] for tokens in encoded if tokens})
    return found[0] - found[1], found[1] - found[0]


def _fingerprint(folder: Path) -> str:
    """SHA-256 over names, sizes and both ends of the files of a model; whole gigabytes would take too long."""
    digest = hashlib.sha256()
    for path in sorted(item for item in folder.iterdir() if item.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as file:
            digest.update(file.read(_ENDS))
            file.seek(max(0, size - _ENDS))
            digest.update(file.read(_ENDS))
    return digest.hexdigest()
