"""Errors of third-party code whose files or inputs are not what it expects, as one sentence."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from vantage.errors import ModelError, VantageError

_FAILURES: tuple[type[Exception], ...] = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    pickle.PickleError,
)

_OWN_CODE = "trust_remote_code"  # in what ``transformers`` says of models that bring code along
_OF_ITS_PARTS = (
    ("huggingface_hub.errors", "StrictDataclassError"),
    ("jinja2", "TemplateError"),
    ("safetensors", "SafetensorError"),
)


@cache
def _failures() -> tuple[type[Exception], ...]:
    """Of all, and of loading and running models of ``transformers``."""
    kinds = list(_FAILURES)
    for module, name in _OF_ITS_PARTS:
        try:
            kinds.append(getattr(import_module(module), name))
        except (ImportError, AttributeError):  # not every version has each
            continue
    return tuple(kinds)


@contextmanager
def told(what: str, mend: str, kind: type[ModelError] = ModelError) -> Iterator[None]:
    """Say what code of others raises within as one sentence: ``what``, its first line, and what to do.

    Raises:
        ModelError: for every such failure; of the given kind.
    """
    try:
        yield
    except VantageError:
        raise
    except Exception as error:
        if type(error) is Exception or isinstance(error, _failures()):  # tokenizers raises nothing more special
            if _OWN_CODE in str(error):
                raise kind(f"{what}: it needs code of its own, which is never run here; {mend}") from error
            raise kind(f"{what}: {_first_line(error)}; {mend}") from error
        raise


def _first_line(error: Exception) -> str:
    said = str(error).strip().splitlines()
    return said[0][:300] if said else type(error).__name__
