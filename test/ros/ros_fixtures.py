"""Graphs for tests: each has its own domain, so that tests never hear each other."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter

from vantage.files import try_lock
from vantage.nodes.runtime.running import Spinner, halt, ros_context, start

# Domains up to 101 leave ports free on Linux; test processes start at different ones.
_DOMAINS = count(13 * os.getpid())
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 4  # no two of them share a domain
_CLAIMED: list[int] = []
_BESIDE = 1 + (int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) - 1) // 4  # that claim of the same ones
_MOST_CLAIMED = max(1, min(8, 24 // _BESIDE))  # of a process, which leaves some for another run of tests beside


def new_domain() -> int:
    """A domain on which this process of tests is alone, also while others of the same user test at the same time."""
    number = next(_DOMAINS)
    for _ in range(25 if len(_CLAIMED) < _MOST_CLAIMED else 0):
        domain = 1 + 25 * _WORKER + number % 25
        locked = domain not in _CLAIMED and try_lock(Path(tempfile.gettempdir()) / f"vantage-test-domain-{domain}")
        if locked is not None and locked is not False:
            _CLAIMED.append(domain)
            return domain
        number = next(_DOMAINS)
    assert _CLAIMED, "all domains are taken by other test runs; wait for them to end"
    return _CLAIMED[number % len(_CLAIMED)]


@contextmanager
def kept_domain() -> Iterator[int]:
    """A domain that ``new_domain`` gives to nobody else meanwhile, for a graph that stays up over several tests."""
    domain = new_domain()
    _CLAIMED.remove(domain)
    try:
        yield domain
    finally:
        _CLAIMED.append(domain)


def parameters(**values: Any) -> list[Parameter]:
    """Overrides; ``camera__width=64`` stands for ``camera.width``."""
    return [Parameter(key.replace("__", "."), value=value) for key, value in values.items()]


SMALL = {"camera__width": 64, "camera__height": 48}


@contextmanager
def context_on(domain: int | None = None) -> Iterator[Context]:
    with ros_context([], domain_id=new_domain() if domain is None else domain) as context:
        yield context


@contextmanager
def spinning(context: Context, *nodes: Node) -> Iterator[None]:
    """Spin nodes, start them, and take them down."""
    spinner = Spinner(nodes, context)
    try:
        for node in nodes:
            start(node)
        yield
    finally:
        for node in nodes:
            halt(node)
        spinner.close()


def eventually(condition: Callable[[], Any], timeout: float = 60.0) -> Any:
    """The first true value of a condition within a deadline, else an assertion error; the deadline says nothing of how
    soon it has to be true, but when it is given up."""
    ends = time.monotonic() + timeout
    while time.monotonic() < ends:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {timeout} s: {condition}")


def call(node: Node, kind: Any, name: str, **request: Any) -> Any:
    """Call a service of a running graph."""
    client = node.create_client(kind, name)
    assert client.wait_for_service(timeout_sec=60.0), name
    future = client.call_async(kind.Request(**request))
    eventually(future.done)
    node.destroy_client(client)
    return future.result()
